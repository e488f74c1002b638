package org.mongolocks.spring.batch;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.contract.adapter.EmbeddedScene;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.sync.LockClient;
import org.springframework.batch.core.configuration.support.MapJobRegistry;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.job.builder.SimpleJobBuilder;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.launch.support.TaskExecutorJobOperator;
import org.springframework.batch.core.listener.JobExecutionListener;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.repository.support.ResourcelessJobRepository;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.item.support.ListItemReader;

/** A lock of the embedded server, and instances of an application that run a job with three chunks of one item. */
final class BatchScene extends EmbeddedScene {
    final String name = "job-" + UUID.randomUUID();
    final List<String> written = new CopyOnWriteArrayList<>();
    /** The last execution that has begun. */
    final AtomicReference<JobExecution> execution = new AtomicReference<>();

    BatchScene() {
        super("batch", new FindAndModifyCounterStrategy());
    }

    /** Writes an item. */
    @FunctionalInterface
    interface ItemWork {
        void write(String item) throws Exception;
    }

    /** Runs the job on an instance of its own, with a client of its own. */
    JobExecution run(ItemWork work, JobExecutionListener... listeners) {
        return run(openClient(), keptAlive(), work, listeners);
    }

    /** Runs the job on an instance of its own. */
    JobExecution run(LockClient client, LockRequest request, ItemWork work, JobExecutionListener... listeners) {
        try {
            ResourcelessJobRepository repository = new ResourcelessJobRepository();
            return operator(repository)
                    .start(
                            new LockedJob(job(repository, work, listeners), repository, client, begun -> {
                                execution.set(begun);
                                return request;
                            }),
                            new JobParameters());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    LockRequest keptAlive() {
        return LockRequest.of(name, TTL);
    }

    Job job(JobRepository repository, ItemWork work, JobExecutionListener... listeners) {
        Step step = new StepBuilder("step", repository)
                .<String, String>chunk(1)
                .reader(new ListItemReader<>(List.of("1", "2", "3")))
                .writer(chunk -> {
                    work.write(chunk.getItems().get(0));
                    written.addAll(chunk.getItems());
                })
                .build();
        SimpleJobBuilder builder = new JobBuilder("job", repository).start(step);
        Stream.of(listeners).forEach(builder::listener);
        return builder.build();
    }

    static TaskExecutorJobOperator operator(JobRepository repository) throws Exception {
        TaskExecutorJobOperator operator = new TaskExecutorJobOperator();
        operator.setJobRepository(repository);
        operator.setJobRegistry(new MapJobRegistry());
        operator.afterPropertiesSet();
        return operator;
    }

    LockClient openClient() {
        try {
            return client();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    LockClient client(ProxyRoute route) throws InterruptedException {
        return client(builder(route.connection()).commandTimeout(TIMEOUT_BEHIND_A_PROXY));
    }

    boolean isHeld() throws InterruptedException {
        return stored(name).filter(LockSnapshot::isHeld).isPresent();
    }

    void forceRelease() throws InterruptedException {
        LockClient operator = client();
        if (!operator.forceRelease(operator.inspect(name).orElseThrow())) {
            throw new IllegalStateException("The lock has changed while it was released by force");
        }
    }
}
