package org.mongolocks.contract.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.Shipped;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.FaultRule;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.sync.LockClient;

/** Tests of clients that are closed by an interrupted thread, or by a subscriber that cancels: all locks are released. */
@ExtendWith(DroppedDatabase.class)
class InterruptedCloseTest {
    private static final Duration TTL = Duration.ofMinutes(10);
    private static final Duration SOON = Duration.ofSeconds(30);
    /** More than are released at a time. */
    private static final int LOCKS = 150;

    private static final String TOGETHER = "findandmodify-counter";
    private static final String ONE_BY_ONE = "transactional";

    private final ContractServer server = ServerFinder.found();
    private final String prefix = "interrupted-" + UUID.randomUUID();
    private final DriverClients connection = DriverClients.shared(server.uri());

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @ParameterizedTest
    @ValueSource(strings = {TOGETHER, ONE_BY_ONE})
    @Tag("finds:closing-interrupted")
    void anInterruptedThreadReleasesAllLocks(String strategy) throws InterruptedException {
        Shipped.supported(strategy);
        LockClient locks = sync(connection, strategy);
        acquireMany(locks);

        Thread.currentThread().interrupt();
        locks.close();

        assertThat(Thread.interrupted()).isTrue();
        assertAllFree(strategy);
    }

    @ParameterizedTest
    @ValueSource(strings = {TOGETHER, ONE_BY_ONE})
    @Tag("finds:closing-interrupted")
    void aThreadThatIsInterruptedWhileItClosesReleasesAllLocks(String strategy) throws Exception {
        assumeFalse(DriverClients.isEncrypted(server.uri()), "The proxy that injects faults cannot see into TLS");
        Shipped.supported(strategy);
        try (ProxyRoute route = ProxyRoute.to(server.uri(), true)) {
            LockClient locks = sync(route.connection(), strategy);
            acquireMany(locks);
            FaultRule releases = route.proxy()
                    .arm(
                            CommandMatcher.atAll(List.of("update", "findAndModify", "delete")),
                            WireFault.holdReply(WireFault.none()));
            BackgroundTask<Boolean> closing = BackgroundTask.run(() -> {
                locks.close();
                return Thread.currentThread().isInterrupted();
            });

            releases.awaitCaught(1);
            closing.interrupt();
            releases.release();

            assertThat(closing.result()).isTrue();
            assertAllFree(strategy);
        }
    }

    @Test
    @Tag("finds:closing-interrupted-reactive")
    void anInterruptedThreadReleasesTheLocksOfAReactiveClient() throws InterruptedException {
        ReactiveLockClient locks = reactive();
        acquireMany(locks);

        Thread.currentThread().interrupt();
        locks.close();

        assertThat(Thread.interrupted()).isTrue();
        assertAllFree(TOGETHER);
    }

    @Test
    void aSubscriberThatCancelsEndsItsWaitAndTheClientCloses() throws Exception {
        ReactiveLockClient locks = reactive();
        acquireMany(locks);

        locks.closeLater(Duration.ofMillis(1)).subscribe().dispose();

        Eventually.isTrue("all locks are released", () -> held(TOGETHER).isEmpty());
    }

    /** A way to hold and release a lock, on a thread that is interrupted while it holds it. */
    @FunctionalInterface
    private interface Release {
        void run(LockClient locks, LockRequest request) throws InterruptedException;
    }

    static Stream<Release> releases() {
        return Stream.of(
                (locks, request) -> interrupted(locks.acquire(request)).close(),
                (locks, request) -> interrupted(locks.acquire(request)).release(),
                (locks, request) -> locks.withLock(request, InterruptedCloseTest::interrupted),
                (locks, request) -> locks.callWithLock(request, InterruptedCloseTest::interrupted),
                (locks, request) -> locks.reentrant("owner").withLock(request, InterruptedCloseTest::interrupted),
                (locks, request) -> interrupted(
                                locks.reentrant("owner").tryAcquire(request).orElseThrow())
                        .close(),
                (locks, request) -> interrupted(
                                locks.tryAcquireAll(several(request)).orElseThrow())
                        .close(),
                (locks, request) -> locks.withLocks(several(request), InterruptedCloseTest::interrupted),
                (locks, request) -> interruptedLock(locks.asLock(request)).unlock());
    }

    @ParameterizedTest
    @MethodSource("releases")
    void aLockIsReleasedThoughItsThreadIsInterrupted(Release release) throws InterruptedException {
        try (LockClient locks = sync(connection, TOGETHER)) {
            release.run(locks, LockRequest.of(prefix, TTL).fixedLease());

            assertThat(Thread.interrupted()).isTrue();
            assertAllFree(TOGETHER);
        }
    }

    private static <T> T interrupted(T held) {
        Thread.currentThread().interrupt();
        return held;
    }

    private static Lock interruptedLock(Lock lock) {
        lock.lock();
        return interrupted(lock);
    }

    private static MultiLockRequest several(LockRequest request) {
        return MultiLockRequest.of(List.of(request.name().value(), request.name() + "-other"), TTL)
                .fixedLease();
    }

    private void acquireMany(LockClient locks) throws InterruptedException {
        for (int i = 0; i < LOCKS; i++) {
            locks.acquire(LockRequest.of(prefix + i, TTL).fixedLease());
        }
    }

    private void acquireMany(ReactiveLockClient locks) {
        for (int i = 0; i < LOCKS; i++) {
            locks.acquire(LockRequest.of(prefix + i, TTL).fixedLease()).block(SOON);
        }
    }

    private void assertAllFree(String strategy) throws InterruptedException {
        assertThat(held(strategy)).isEmpty();
    }

    private List<LockName> held(String strategy) throws InterruptedException {
        try (LockClient others = sync(connection, strategy)) {
            return others.list(LockQuery.all().prefix(prefix).heldOnly()).locks().stream()
                    .map(lock -> lock.name())
                    .toList();
        }
    }

    private static LockClient sync(DriverClients through, String strategy) throws InterruptedException {
        return LockClient.builder(through.sync(), LockContract.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(LockStrategies.named(strategy))
                .closeTimeout(SOON)
                .build();
    }

    private ReactiveLockClient reactive() {
        return ReactiveLockClient.builder(connection.reactive(), LockContract.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(LockStrategies.named(TOGETHER))
                .closeTimeout(SOON)
                .build()
                .blockOptional(SOON)
                .orElseThrow();
    }
}
