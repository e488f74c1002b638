package org.mongolocks.contract.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.server.Warnings;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.sync.LockClient;
import reactor.core.publisher.Mono;

/** Tests that locks that are kept alive for a handle which was garbage-collected without a release are released. */
@ExtendWith(DroppedDatabase.class)
class ForgottenHandleTest {
    /** Longer than any test: no lease ends. */
    private static final Duration TTL = Duration.ofMinutes(10);

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final String instance = "forgotten-" + UUID.randomUUID();
    private final LockName name = LockName.of(instance);
    private final LockRequest request = LockRequest.of(instance, TTL);
    private final Warnings warnings = Warnings.collect();

    @AfterEach
    void stopCollecting() {
        warnings.close();
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void forgottenLockIsReleasedAndLogged(Driver driver) throws Exception {
        try (BlockingLocks locks = build(driver)) {
            acquire(locks, request);

            collectUntilFree(locks, name);

            assertThat(warnings.about(instance)).singleElement().asString().contains("garbage-collected");
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void forgottenLockIsReleasedAlthoughItsListenersReferToIt(Driver driver) throws Exception {
        try (BlockingLocks locks = build(driver)) {
            acquireWithListeners(locks);

            collectUntilFree(locks, name);
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void eachLockOfAForgottenSetIsReleased(Driver driver) throws Exception {
        try (BlockingLocks locks = build(driver)) {
            acquireAll(locks, List.of(instance + "-1", instance + "-2"));

            collectUntilFree(locks, LockName.of(instance + "-1"));
            collectUntilFree(locks, LockName.of(instance + "-2"));
        }
    }

    /** The lease was taken without keep-alive, which the second entry asks for. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    void forgottenEntryOfAReentrantLockIsLeft(Driver driver) throws Exception {
        try (BlockingLocks locks = build(driver)) {
            BlockingLock last = enterTwice(locks);
            Eventually.isTrue("the forgotten entry is reported", () -> {
                System.gc();
                return !warnings.about(instance).isEmpty();
            });
            assertThat(last.isHeld()).isTrue();

            assertThat(last.release()).isTrue();

            assertThat(isHeld(locks, name)).isFalse();
        }
    }

    /** A forgotten handle does not count once another one has asked to keep the lock alive. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    void entryThatWasForgottenBeforeTheLockIsKeptAliveDoesNotKeepIt(Driver driver) throws Exception {
        try (BlockingLocks locks = build(driver)) {
            BlockingLock last = enterAfterTheFirstWasForgotten(locks, request);

            assertThat(last.release()).isTrue();

            assertThat(isHeld(locks, name)).isFalse();
        }
    }

    /** Its lease ends by itself; when garbage is collected makes no difference. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    void forgottenEntryOfALockThatIsNotKeptAliveCounts(Driver driver) throws Exception {
        try (BlockingLocks locks = build(driver)) {
            BlockingLock second = enterAfterTheFirstWasForgotten(
                    locks, LockRequest.of(instance, TTL).fixedLease());

            assertThat(second.release()).isTrue();

            assertThat(isHeld(locks, name)).isTrue();
        }
    }

    @Test
    void workKeepsItsLock() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (LockClient client = LockClient.builder(connection.sync(), LockContract.DATABASE)
                        .drainTimeout(Duration.ZERO)
                        .strategy(new FindAndModifyCounterStrategy())
                        .build();
                BlockingLocks others = build(Driver.SYNC)) {
            BackgroundTask<Boolean> work = BackgroundTask.run(() -> client.tryWithLock(request, lock -> {
                started.countDown();
                end.await();
            }));
            started.await();

            collectAnother(others);

            assertThat(isHeld(others, name)).isTrue();
            end.countDown();
            assertThat(work.result()).isTrue();
        }
    }

    /** Nothing but the client refers to such work: only a loss ends it. */
    @Test
    void reactiveWorkKeepsItsLock() throws Exception {
        try (ReactiveLockClient client = reactive();
                BlockingLocks others = build(Driver.SYNC)) {
            CountDownLatch started = new CountDownLatch(1);
            client.tryWithLock(request, lock -> Mono.never().doOnSubscribe(unused -> started.countDown()))
                    .onErrorComplete()
                    .subscribe();
            started.await();

            collectAnother(others);

            assertThat(isHeld(others, name)).isTrue();
        }
    }

    @Test
    void forgottenLockIsReleasedAlthoughASubscriberOfItsLossRefersToIt() throws Exception {
        try (ReactiveLockClient client = reactive();
                BlockingLocks others = build(Driver.SYNC)) {
            acquireAndSubscribe(client);

            collectUntilFree(others, name);
        }
    }

    @Test
    void reportNamesThePlaceOfTheAcquisition() throws Exception {
        try (LockClient client = LockClient.builder(connection.sync(), LockContract.DATABASE)
                        .drainTimeout(Duration.ZERO)
                        .strategy(new FindAndModifyCounterStrategy())
                        .build();
                BlockingLocks others = build(Driver.SYNC)) {
            acquire(client);

            collectUntilFree(others, name);

            assertThat(warnings.about(instance)).singleElement().asString().contains("ForgottenHandleTest.acquire(");
        }
    }

    private void acquire(LockClient client) throws InterruptedException {
        assertThat(client.tryAcquire(request)).isPresent();
    }

    private static void acquire(BlockingLocks locks, LockRequest wanted) throws InterruptedException {
        assertThat(locks.tryAcquire(wanted)).isPresent();
    }

    private void acquireWithListeners(BlockingLocks locks) throws InterruptedException {
        listenTo(locks.tryAcquire(request).orElseThrow());
    }

    private void enterWithListeners(BlockingLocks locks) throws InterruptedException {
        listenTo(locks.enter(instance, LockRequest.of(instance, TTL).fixedLease())
                .orElseThrow());
    }

    private BlockingLock enterAfterTheFirstWasForgotten(BlockingLocks locks, LockRequest second) throws Exception {
        enterWithListeners(locks);
        collectAnother(locks);
        return locks.enter(instance, second).orElseThrow();
    }

    private static void listenTo(BlockingLock lock) {
        lock.onLost((lease, reason) -> lock.release());
        lock.onEndangered(Duration.ofSeconds(1), (lease, remaining) -> lock.release());
    }

    private void acquireAndSubscribe(ReactiveLockClient client) {
        ReactiveHeldLock lock = client.tryAcquire(request).blockOptional().orElseThrow();
        lock.lost().flatMap(reason -> lock.release()).subscribe();
    }

    private static void acquireAll(BlockingLocks locks, List<String> names) throws InterruptedException {
        assertThat(locks.tryAcquireAll(MultiLockRequest.of(names, TTL))).isPresent();
    }

    /** Forgets the first of two handles. */
    private BlockingLock enterTwice(BlockingLocks locks) throws InterruptedException {
        assertThat(locks.enter(instance, LockRequest.of(instance, TTL).fixedLease()))
                .isPresent();
        return locks.enter(instance, request).orElseThrow();
    }

    /** Collects garbage until another forgotten lock was found. */
    private void collectAnother(BlockingLocks locks) throws Exception {
        LockName another = LockName.of(instance + "-another");
        acquire(locks, LockRequest.of(another.value(), TTL));
        collectUntilFree(locks, another);
    }

    private static void collectUntilFree(BlockingLocks locks, LockName forgotten) throws Exception {
        Eventually.isTrue("the forgotten lock is free", () -> {
            System.gc();
            return !isHeld(locks, forgotten);
        });
    }

    private static boolean isHeld(BlockingLocks locks, LockName lock) throws InterruptedException {
        return locks.inspect(lock).map(LockSnapshot::isHeld).orElse(false);
    }

    private ReactiveLockClient reactive() {
        return ReactiveLockClient.builder(connection.reactive(), LockContract.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(new FindAndModifyCounterStrategy())
                .build()
                .blockOptional()
                .orElseThrow();
    }

    private BlockingLocks build(Driver driver) throws InterruptedException {
        return driver.build(
                connection, LockContract.DATABASE, builder -> builder.strategy(new FindAndModifyCounterStrategy()));
    }
}
