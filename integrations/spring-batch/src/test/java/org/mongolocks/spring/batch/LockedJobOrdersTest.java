package org.mongolocks.spring.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.contract.adapter.EmbeddedScene.TTL;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockRequest;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.Leftovers;
import org.mongolocks.spring.batch.BatchScene.ItemWork;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.configuration.support.MapJobRegistry;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.JobInstance;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.launch.support.TaskExecutorJobOperator;
import org.springframework.batch.core.listener.JobExecutionListener;
import org.springframework.batch.core.repository.support.ResourcelessJobRepository;
import org.springframework.batch.infrastructure.item.ExecutionContext;
import org.springframework.core.task.SyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.core.task.TaskRejectedException;

/** The orders of events of a job: after each of them nobody holds the lock. */
class LockedJobOrdersTest {
    private final BatchScene scene = new BatchScene();

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    /**
     * An order of events.
     *
     * @param status how the execution ends; null if Spring Batch leaves that open after an {@code Error}
     * @param isOrderly whether neither the application nor Spring Batch logs an error
     */
    private record Order(String name, @Nullable BatchStatus status, boolean isOrderly, Play play) {
        Order(String name, @Nullable BatchStatus status, Play play) {
            this(name, status, false, play);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Order> orders() {
        return Stream.of(
                new Order("completes", BatchStatus.COMPLETED, false, Instance::launch),
                new Order("step throws", BatchStatus.FAILED, false, instance -> instance.launch(item -> fail())),
                new Order("step throws an error", null, false, instance -> instance.launch(item -> failBadly())),
                new Order(
                        "earlier listener throws before",
                        BatchStatus.FAILED,
                        instance -> instance.before(LockedJobOrdersTest::fail).launch()),
                new Order(
                        "listener throws an error before",
                        null,
                        instance ->
                                instance.before(LockedJobOrdersTest::failBadly).launch()),
                new Order(
                        "listener throws after",
                        BatchStatus.COMPLETED,
                        instance -> instance.after(LockedJobOrdersTest::fail).launch()),
                new Order(
                        "listener throws an error after",
                        BatchStatus.COMPLETED,
                        instance ->
                                instance.after(LockedJobOrdersTest::failBadly).launch()),
                new Order(
                        "two listeners throw after",
                        BatchStatus.COMPLETED,
                        instance -> instance.after(LockedJobOrdersTest::fail)
                                .after(LockedJobOrdersTest::fail)
                                .launch()),
                new Order(
                        "repository fails at the start",
                        BatchStatus.FAILED,
                        instance -> instance.failingUpdate(1).launch()),
                new Order(
                        "repository fails before the listeners",
                        BatchStatus.COMPLETED,
                        instance -> instance.failingUpdate(2).launch()),
                new Order(
                        "repository fails after the listeners",
                        BatchStatus.COMPLETED,
                        instance -> instance.failingUpdate(3).launch()),
                new Order(
                        "repository fails after a loss",
                        BatchStatus.FAILED,
                        instance -> instance.failingUpdate(4).launch(item -> instance.loseTheLock())),
                new Order(
                        "request fails",
                        BatchStatus.FAILED,
                        instance -> instance.requesting(execution -> {
                                    throw new IllegalStateException("the request fails");
                                })
                                .launch()),
                new Order(
                        "launch is rejected",
                        BatchStatus.FAILED,
                        instance -> instance.on(work -> {
                                    throw new TaskRejectedException("no thread");
                                })
                                .launch()),
                new Order(
                        "launch is never run",
                        BatchStatus.STARTING,
                        true,
                        instance -> instance.on(work -> {}).launch()),
                new Order("stopped in the queue", BatchStatus.STOPPED, true, instance -> {
                    List<Runnable> queue = new ArrayList<>();
                    instance.on(queue::add).launch();
                    instance.stop();
                    queue.get(0).run();
                }),
                new Order("stopped while it waits", BatchStatus.STOPPED, true, Instance::stopWhileItWaits),
                new Order(
                        "stopped in a step",
                        BatchStatus.STOPPED,
                        true,
                        instance -> instance.launch(item -> instance.stop())),
                new Order(
                        "stopped by an earlier listener",
                        BatchStatus.STOPPED,
                        true,
                        instance -> instance.before(instance::stop).launch()),
                new Order(
                        "lock is lost in a step",
                        BatchStatus.FAILED,
                        true,
                        instance -> instance.launch(item -> instance.loseTheLock())),
                new Order(
                        "lock is lost after the steps",
                        BatchStatus.FAILED,
                        true,
                        instance -> instance.after(instance::loseTheLock).launch()),
                new Order(
                        "interrupted while it waits",
                        BatchStatus.STOPPED,
                        true,
                        instance -> instance.waiting(BackgroundTask::interrupt)),
                new Order("client closed before", BatchStatus.STOPPED, true, instance -> {
                    instance.client.close();
                    instance.launch();
                }),
                new Order(
                        "client closed while it waits",
                        BatchStatus.STOPPED,
                        true,
                        instance -> instance.waiting(task -> instance.client.close())),
                new Order(
                        "client closed in a step",
                        BatchStatus.FAILED,
                        true,
                        instance -> instance.launch(item -> instance.client.close())),
                new Order(
                        "client closed after the steps",
                        BatchStatus.FAILED,
                        true,
                        instance ->
                                instance.after(() -> instance.client.close()).launch()));
    }

    private static void fail() {
        throw new IllegalStateException("the application fails");
    }

    private static void failBadly() {
        throw new StackOverflowError("the application fails badly");
    }

    /** The events of an order. */
    @FunctionalInterface
    private interface Play {
        void on(Instance instance) throws Exception;
    }

    @ParameterizedTest
    @MethodSource("orders")
    @Tag("finds:batch-lock-kept")
    void nothingIsLeftAfter(Order order) throws Exception {
        try (Leftovers leftovers = new Leftovers()) {
            Instance instance = new Instance();

            order.play().on(instance);

            assertThat(scene.isHeld()).isFalse();
            if (order.status() != null) {
                assertThat(instance.execution.getStatus()).isEqualTo(order.status());
            }
            instance.client.close();
            leftovers.assertNoThread();
            if (order.isOrderly()) {
                leftovers.assertNone();
            }
        }
    }

    /** An instance of the application, which launches the job once. */
    private final class Instance {
        private final LockClient client = scene.openClient();
        private final List<JobExecutionListener> listeners = new ArrayList<>();
        private final AtomicInteger updates = new AtomicInteger();
        private final MapJobRegistry registry = new MapJobRegistry();
        private final ResourcelessJobRepository repository = new ResourcelessJobRepository() {
            @Override
            public JobExecution createJobExecution(
                    JobInstance created, JobParameters parameters, ExecutionContext context) {
                execution = super.createJobExecution(created, parameters, context);
                return execution;
            }

            @Override
            public void update(JobExecution updated) {
                if (updates.incrementAndGet() == failing) {
                    throw new IllegalStateException("the repository fails");
                }
                super.update(updated);
            }
        };
        private Function<JobExecution, LockRequest> requests = begun -> scene.keptAlive();
        private TaskExecutor executor = new SyncTaskExecutor();
        private int failing;
        private volatile JobExecution execution;

        Instance before(Runnable event) {
            listeners.add(new JobExecutionListener() {
                @Override
                public void beforeJob(JobExecution begun) {
                    event.run();
                }
            });
            return this;
        }

        Instance after(Runnable event) {
            listeners.add(new JobExecutionListener() {
                @Override
                public void afterJob(JobExecution ended) {
                    event.run();
                }
            });
            return this;
        }

        Instance failingUpdate(int count) {
            failing = count;
            return this;
        }

        Instance requesting(Function<JobExecution, LockRequest> other) {
            requests = other;
            return this;
        }

        Instance on(TaskExecutor other) {
            executor = other;
            return this;
        }

        void launch() throws Exception {
            launch(item -> {});
        }

        void launch(ItemWork work) throws Exception {
            TaskExecutorJobOperator operator = operator();
            LockedJob job = new LockedJob(
                    scene.job(repository, work, listeners.toArray(JobExecutionListener[]::new)),
                    repository,
                    client,
                    requests);
            registry.register(job);
            try {
                operator.start(job, new JobParameters());
            } catch (IllegalStateException | StackOverflowError e) {
                assertThat(e).hasMessageMatching("the (application|repository) fails.*");
            }
        }

        private TaskExecutorJobOperator operator() throws Exception {
            TaskExecutorJobOperator operator = new TaskExecutorJobOperator();
            operator.setJobRepository(repository);
            operator.setJobRegistry(registry);
            operator.setTaskExecutor(executor);
            operator.afterPropertiesSet();
            return operator;
        }

        void stop() {
            try {
                operator().stop(execution);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        void loseTheLock() {
            try {
                scene.forceRelease();
                scene.server.elapse(TTL.dividedBy(2));
                soon("the job knows of the loss", () -> execution.getStatus() == BatchStatus.STOPPING);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        void stopWhileItWaits() throws Exception {
            try (HeldLock other = scene.openClient().acquire(scene.keptAlive())) {
                BackgroundTask<Boolean> task = waitingTask();
                stop();
                other.release();
                task.awaitEnd();
            }
        }

        void waiting(Event event) throws Exception {
            try (HeldLock other = scene.openClient().acquire(scene.keptAlive())) {
                BackgroundTask<Boolean> task = waitingTask();
                event.on(task);
                task.awaitEnd();
                assertThat(other.isHeld()).isTrue();
            }
        }

        private BackgroundTask<Boolean> waitingTask() throws Exception {
            BackgroundTask<Boolean> task = BackgroundTask.run(() -> {
                requesting(begun -> scene.keptAlive().waitAtMost(TTL)).launch();
                return true;
            });
            soon("it waits", () -> scene.stored(scene.name).orElseThrow().waiters() == 1);
            return task;
        }
    }

    /** An event while a job waits for its lock. */
    @FunctionalInterface
    private interface Event {
        void on(BackgroundTask<Boolean> task);
    }
}
