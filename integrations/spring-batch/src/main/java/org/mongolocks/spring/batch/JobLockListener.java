package org.mongolocks.spring.batch;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.ExitStatus;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.listener.JobExecutionListener;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.core.Ordered;

/**
 * A listener that holds a lock while a job runs, so that the job, or all jobs with that lock, run on one instance at a
 * time, with whatever parameters.
 *
 * <pre>{@code
 * JobLockListener listener = new JobLockListener(
 *         locks, job -> LockRequest.of("billing", Duration.ofMinutes(1)).keepAlive());
 * Job job = new JobBuilder("billing", jobRepository).listener(listener).start(step).build();
 * }</pre>
 *
 * <p>The lock is acquired before the first step, as the request says: kept alive, and with the wait that it permits. If
 * another client holds it, no step runs: the execution ends {@link BatchStatus#STOPPED}, with a
 * {@link LockContendedException} among its failures, and can be restarted. If the lock is lost, the job stops as if
 * {@code JobOperator.stop} was called: a step at its next chunk, and no further step begins. The execution has a
 * {@link LockLostException}; one whose steps were complete by then is {@link BatchStatus#FAILED}, because they may have
 * run beside those of another instance. Both exceptions are in the exit description too. A fault of the server before the
 * first step fails the execution.
 *
 * <p>Chunks that are running when the lock is lost are not undone: write with the fencing token, which is in the execution
 * context of the job under {@link #FENCING_TOKEN}, and refuse smaller ones. A restarted execution has a token of its own.
 *
 * <p>Its order is the first one: other listeners run under the lock. One listener can serve any number of jobs and
 * executions. Thread-safe.
 */
public final class JobLockListener implements JobExecutionListener, Ordered {
    /** The key of the fencing token, a {@code Long}, in the execution context of the job. */
    public static final String FENCING_TOKEN = "mongo-locks.fencingToken";

    private final LockClient locks;
    private final Function<JobExecution, LockRequest> requests;
    /** By identity: ids are not unique among repositories that store nothing. */
    private final Map<JobExecution, HeldLock> held = Collections.synchronizedMap(new IdentityHashMap<>());

    /**
     * Creates a listener.
     *
     * @param locks the client; the caller closes it when no job runs
     * @param requests returns the request for an execution: the name of the lock, for example that of the job, its ttl,
     *     usually kept alive, and how long to wait for it. Called once for each execution.
     */
    public JobLockListener(LockClient locks, Function<JobExecution, LockRequest> requests) {
        this.locks = Objects.requireNonNull(locks, "The lock client is null");
        this.requests = Objects.requireNonNull(requests, "The function of requests is null");
    }

    /** Returns the first place: it acquires before other listeners run, and releases after them. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    /**
     * Acquires the lock, for Spring Batch. Blocks for as long as the request waits. An interrupt stops the job, and is kept.
     *
     * @param execution the execution that begins
     * @throws LockException if the server refused or gave no reply; Spring Batch then fails the execution
     */
    @Override
    public void beforeJob(JobExecution execution) {
        LockRequest request =
                Objects.requireNonNull(requests.apply(execution), "The request for " + execution + " is null");
        try {
            HeldLock lock = locks.acquire(request);
            held.put(execution, lock);
            execution.getExecutionContext().putLong(FENCING_TOKEN, lock.fencingToken());
            lock.onLost((lease, reason) -> stopIfHeld(execution));
        } catch (LockContendedException e) {
            refuse(execution, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            refuse(execution, e);
        }
    }

    private static void refuse(JobExecution execution, Exception reason) {
        execution.addFailureException(reason);
        stop(execution);
    }

    /**
     * Releases the lock, for Spring Batch, which calls it for each execution, however that ended.
     *
     * @param execution the execution that has ended
     */
    @Override
    public void afterJob(JobExecution execution) {
        HeldLock lock = held.remove(execution);
        if (lock != null) {
            lock.close();
            lock.loss()
                    .ifPresent(reason -> failUnlessStopped(
                            execution, new LockLostException(lock.lease().name(), reason)));
        }
        execution.getFailureExceptions().stream()
                .filter(e -> e instanceof LockContendedException || e instanceof LockLostException)
                .forEach(e -> execution.setExitStatus(execution.getExitStatus().addExitDescription(e.toString())));
    }

    /** Once {@link #afterJob} has begun, the status is final. */
    private void stopIfHeld(JobExecution execution) {
        synchronized (held) {
            if (held.containsKey(execution)) {
                stop(execution);
            }
        }
    }

    /** Sets the status first: a step that begins meanwhile reads it. */
    private static void stop(JobExecution execution) {
        execution.upgradeStatus(BatchStatus.STOPPING);
        execution.getStepExecutions().forEach(StepExecution::setTerminateOnly);
    }

    /** The loss came too late to stop a step if the job is complete, or was going to stop. */
    private static void failUnlessStopped(JobExecution execution, LockLostException loss) {
        execution.addFailureException(loss);
        if (execution.getStatus() == BatchStatus.COMPLETED || execution.getStatus() == BatchStatus.STOPPING) {
            execution.setStatus(BatchStatus.FAILED);
            execution.setExitStatus(ExitStatus.FAILED);
        }
    }
}
