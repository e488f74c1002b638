package org.mongolocks.spring.batch;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.JobInterruptedException;
import org.springframework.batch.core.job.parameters.JobParametersIncrementer;
import org.springframework.batch.core.job.parameters.JobParametersValidator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.ListableStepLocator;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.batch.core.step.StepLocator;

/**
 * A job that runs another one under a lock, so that it, or all jobs with that lock, run on one instance at a time, with
 * whatever parameters.
 *
 * <pre>{@code
 * Job billing = new JobBuilder("billing", jobs).start(step).build();
 * return new LockedJob(billing, jobs, locks, execution -> locks.request("billing"));
 * }</pre>
 *
 * <p>The lock is held from before the job's execution, its listeners too, until that has returned or thrown: there is no
 * call in between that Spring Batch could leave out. It is acquired as the request says, with the wait that it permits.
 *
 * <p>If another client holds the lock, the client is closed, or the thread is interrupted while it waits, neither a
 * listener nor a step of the job is called: the execution ends {@link BatchStatus#STOPPED}, with the exception among its
 * failures, and can be restarted. If the server refused or gave no reply, it ends {@link BatchStatus#FAILED} in the same
 * way. If the lock is lost, the job stops as if {@code JobOperator.stop} was called: a step at its next chunk, and no
 * further step begins. The execution then is {@code FAILED}, with a {@link LockLostException}, also if its steps were
 * complete by then: they may have run beside those of another instance. The exceptions are in the exit description too.
 *
 * <p>Chunks that are running when the lock is lost are not undone: write with the fencing token, which is in the execution
 * context of the job under {@link #FENCING_TOKEN}, and refuse smaller ones. A restarted execution has a token of its own.
 * Thread-safe, if the job is.
 */
public final class LockedJob implements Job, ListableStepLocator {
    /** The key of the fencing token, a {@code Long}, in the execution context of the job. */
    public static final String FENCING_TOKEN = "mongo-locks.fencingToken";

    private final Job job;
    private final JobRepository jobs;
    private final LockClient locks;
    private final Function<JobExecution, LockRequest> requests;

    /**
     * Creates a locked job, which is the bean in the place of the other one: what launches that one runs it unlocked.
     *
     * @param job the job that runs under the lock
     * @param jobs the repository of the job
     * @param locks the client; the caller closes it when no job runs
     * @param requests returns the request for an execution: the name of the lock, for example that of the job, its ttl,
     *     and how long to wait for it. Called once for each execution.
     */
    public LockedJob(Job job, JobRepository jobs, LockClient locks, Function<JobExecution, LockRequest> requests) {
        this.job = Objects.requireNonNull(job, "The job is null");
        this.jobs = Objects.requireNonNull(jobs, "The job repository is null");
        this.locks = Objects.requireNonNull(locks, "The lock client is null");
        this.requests = Objects.requireNonNull(requests, "The function of requests is null");
    }

    /**
     * Acquires the lock, executes the job, and releases the lock in every case. Blocks for as long as the request waits.
     * An interrupt that ends the wait is kept.
     *
     * @param execution the execution that begins
     */
    @Override
    public void execute(JobExecution execution) throws JobInterruptedException {
        HeldLock lock;
        try {
            lock = locks.acquire(requests.apply(execution));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end(execution, BatchStatus.STOPPED, e);
            return;
        } catch (LockContendedException | ClientClosedException e) {
            end(execution, BatchStatus.STOPPED, e);
            return;
        } catch (RuntimeException e) {
            end(execution, BatchStatus.FAILED, e);
            return;
        }
        try (lock) {
            lock.onLost((lease, reason) -> stop(execution));
            execution.getExecutionContext().putLong(FENCING_TOKEN, lock.fencingToken());
            if (!execution.isStopped()) { // JobOperator.stop while it waited; Spring Batch would start it
                job.execute(execution);
            }
        }
        lock.lossException().ifPresent(lost -> end(execution, BatchStatus.FAILED, lost));
    }

    /** Sets the status first: a step that begins meanwhile reads it. */
    private static void stop(JobExecution execution) {
        synchronized (execution) {
            execution.upgradeStatus(BatchStatus.STOPPING);
        }
        execution.getStepExecutions().forEach(StepExecution::setTerminateOnly);
    }

    private void end(JobExecution execution, BatchStatus status, Exception reason) {
        synchronized (execution) {
            execution.upgradeStatus(status);
        }
        execution.addFailureException(reason);
        execution.setExitStatus(
                execution.getExitStatus().replaceExitCode(status.name()).addExitDescription(reason.toString()));
        LocalDateTime now = LocalDateTime.now(ZoneId.systemDefault());
        if (execution.getStartTime() == null) {
            execution.setStartTime(now);
        }
        execution.setEndTime(now);
        jobs.update(execution);
    }

    @Override
    public String getName() {
        return job.getName();
    }

    @Override
    public boolean isRestartable() {
        return job.isRestartable();
    }

    @Override
    public @Nullable JobParametersIncrementer getJobParametersIncrementer() {
        return job.getJobParametersIncrementer();
    }

    @Override
    public JobParametersValidator getJobParametersValidator() {
        return job.getJobParametersValidator();
    }

    /** Returns a step of the job, which {@code JobOperator.stop} asks for; null if it has none of that name. */
    @Override
    public @Nullable Step getStep(String name) {
        return job instanceof StepLocator steps ? steps.getStep(name) : null;
    }

    /** Returns the names of the steps that the job lists. */
    @Override
    public Collection<String> getStepNames() {
        return job instanceof ListableStepLocator steps ? steps.getStepNames() : List.of();
    }

    /** Returns a description for logs. */
    @Override
    public String toString() {
        return job + " under a lock";
    }
}
