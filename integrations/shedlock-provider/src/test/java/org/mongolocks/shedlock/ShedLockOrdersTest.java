package org.mongolocks.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.stream.Stream;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.LockingTaskExecutor.TaskWithResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.Leftovers;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/**
 * The orders of events of a task under a lock of ShedLock, on both clients: after each of them nobody holds the lock, no
 * error is logged, and no thread is left.
 */
class ShedLockOrdersTest {
    private static final String NAME = "task";
    private static final Duration TTL = Duration.ofMinutes(1);

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.embedded().uri());
    private final String database = "shedlock-" + UUID.randomUUID();

    @AfterEach
    void close() {
        Thread.interrupted();
        connection.sync().getDatabase(database).drop();
    }

    /** The events of an order. */
    @FunctionalInterface
    private interface Play {
        void on(Instance instance) throws Exception;
    }

    /** An order of events, and what the scheduler gets as the exception. */
    private record Order(String name, String thrown, Play play) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Arguments> orders() {
        Stream<Order> orders = Stream.of(
                new Order("task returns", "", instance -> instance.run(() -> {})),
                new Order(
                        "task throws",
                        "the task fails",
                        instance -> instance.run(() -> {
                            throw new IllegalStateException("the task fails");
                        })),
                new Order(
                        "task throws an error",
                        "the task fails badly",
                        instance -> instance.run(() -> {
                            throw new StackOverflowError("the task fails badly");
                        })),
                new Order(
                        "task extends its lock",
                        "",
                        instance ->
                                instance.run(() -> LockExtender.extendActiveLock(TTL.multipliedBy(2), Duration.ZERO))),
                new Order(
                        "task is interrupted",
                        "",
                        instance -> instance.run(() -> Thread.currentThread().interrupt())),
                new Order("scheduler interrupts before the task", "was interrupted", instance -> {
                    Thread.currentThread().interrupt();
                    instance.run(() -> {});
                }),
                new Order("another instance holds the lock", "", instance -> {
                    try (HeldLock other =
                            instance.elsewhere.acquire(LockRequest.of(NAME, TTL).fixedLease())) {
                        instance.run(() -> {});
                        assertThat(other.isHeld()).isTrue();
                    }
                }),
                new Order("client is closed before the task", "", instance -> {
                    instance.client.close();
                    instance.run(() -> {});
                }),
                new Order(
                        "client is closed while the task runs",
                        "",
                        instance -> instance.run(() -> instance.client.close())),
                new Order(
                        "lock is lost while the task runs",
                        "",
                        instance -> instance.run(() -> assertThat(instance.elsewhere.forceRelease(
                                        instance.elsewhere.inspect(NAME).orElseThrow()))
                                .isTrue())));
        return orders.flatMap(order -> Stream.of(Arguments.of(order, false), Arguments.of(order, true)));
    }

    @SuppressWarnings("try") // The threads of the other client end before it looks.
    @ParameterizedTest
    @MethodSource("orders")
    @Tag("finds:shedlock-tick-after-the-client")
    void nothingIsLeftAfter(Order order, boolean isReactive) throws Exception {
        try (LockClient elsewhere = syncClient();
                Leftovers leftovers = new Leftovers()) {
            Instance instance = new Instance(elsewhere, isReactive);

            Throwable thrown = catchThrowable(() -> order.play().on(instance));

            assertThat(thrown == null ? "" : thrown.toString()).contains(order.thrown());
            assertThat(thrown == null).isEqualTo(order.thrown().isEmpty());
            Thread.interrupted();
            assertThat(elsewhere.list(LockQuery.all().heldOnly()).locks()).isEmpty();
            instance.client.close();
            elsewhere.close();
            leftovers.assertNone();
        }
    }

    private LockClient syncClient() {
        return LockClient.builder(connection.sync(), database)
                .drainTimeout(Duration.ZERO)
                .strategy("findandmodify-counter")
                .build();
    }

    /** An instance of the application. */
    private final class Instance {
        private final LockClient elsewhere;
        private final AutoCloseable client;
        private final LockProvider provider;

        Instance(LockClient elsewhere, boolean isReactive) {
            this.elsewhere = elsewhere;
            if (isReactive) {
                ReactiveLockClient reactive = ReactiveLockClient.builder(connection.reactive(), database)
                        .drainTimeout(Duration.ZERO)
                        .strategy("findandmodify-counter")
                        .build()
                        .blockOptional()
                        .orElseThrow();
                client = reactive;
                provider = new ReactiveMongoLocksLockProvider(reactive);
            } else {
                LockClient sync = syncClient();
                client = sync;
                provider = new MongoLocksLockProvider(sync);
            }
        }

        void run(Task task) throws Exception {
            try {
                var unused = new DefaultLockingTaskExecutor(provider)
                        .executeWithLock(
                                (TaskWithResult<String>) () -> {
                                    task.run();
                                    return "done";
                                },
                                new LockConfiguration(Instant.now(), NAME, TTL, Duration.ZERO));
            } catch (Exception e) {
                throw e;
            } catch (Throwable e) {
                throw (Error) e;
            }
        }
    }

    /** A scheduled task. */
    @FunctionalInterface
    private interface Task {
        void run() throws Exception;
    }
}
