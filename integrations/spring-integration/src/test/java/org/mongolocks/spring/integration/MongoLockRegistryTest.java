package org.mongolocks.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.mongolocks.contract.adapter.EmbeddedScene.STEP;
import static org.mongolocks.contract.adapter.EmbeddedScene.TTL;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.TokenWentBackException;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import org.mongolocks.time.TimeSource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;

/** Tests of the registry and its locks; many have the scenario of a test of Spring Integration's own registries. */
class MongoLockRegistryTest {
    /** Much less than a lease: a thread that waits still waits after it. */
    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private final RegistryScene scene = new RegistryScene();
    private MongoLockRegistry registry;
    private DistributedLock lock;

    @BeforeEach
    void open() throws InterruptedException {
        registry = scene.registry();
        lock = registry.obtain(scene.key);
    }

    @AfterEach
    void close() throws Exception {
        Thread.interrupted();
        scene.close();
    }

    // Locking

    @Test
    void lockIsHeldUntilItIsUnlocked() throws Exception {
        for (int i = 0; i < 3; i++) {
            lock.lock();
            assertThat(scene.isHeld()).isTrue();
            assertThat(scene.ttl()).isEqualTo(TTL);

            lock.unlock();
            assertThat(scene.isHeld()).isFalse();
        }
    }

    @Test
    void twoLocksAreHeldByOneThread() {
        DistributedLock other = registry.obtain(scene.key + "-other");

        lock.lock();
        assertThat(other.tryLock()).isTrue();

        other.unlock();
        lock.unlock();
    }

    @Test
    void customTtlIsThatOfTheLease() throws Exception {
        Duration custom = TTL.multipliedBy(2);

        lock.lock(custom);
        assertThat(scene.ttl()).isEqualTo(custom);
        lock.unlock();

        assertThat(lock.tryLock(Duration.ZERO, custom.plusNanos(1))).isTrue();
        assertThat(scene.ttl()).isEqualTo(custom.plusMillis(1));
        lock.unlock();
    }

    @Test
    void customTtlMayBeOutsideTheLimitsOfTheRequest() throws Exception {
        LockRequest limited =
                LockRequest.of(scene.key, TTL).keepAliveAtMost(TTL).holdAtLeast(TTL);
        DistributedLock changed = new MongoLockRegistry(scene.client(), key -> limited).obtain(scene.key);

        changed.lock(TTL.multipliedBy(2));
        assertThat(scene.ttl()).isEqualTo(TTL.multipliedBy(2));

        scene.forceRelease();
        assertThat(changed.tryLock()).isFalse();
        assertThat(changed.tryLock(Duration.ZERO, TTL.dividedBy(2))).isTrue();
        assertThat(scene.ttl()).isEqualTo(TTL.dividedBy(2));
    }

    @Test
    void conditionIsRefused() {
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(lock::newCondition);
    }

    @Test
    void defaultsOfTheClientAreUsed() throws Exception {
        Duration ttl = TTL.multipliedBy(3);
        new MongoLockRegistry(scene.client(builder -> builder.defaultTtl(ttl)))
                .obtain(scene.key)
                .lock();

        assertThat(scene.ttl()).isEqualTo(ttl);
    }

    @Test
    void aLockOfAKeyAloneOutlastsItsTtl() throws Exception {
        DistributedLock kept = scene.keptAlive().obtain(scene.key);
        kept.lock();

        elapse(30);

        assertThat(lock.tryLock()).isFalse();
        assertThatCode(kept::unlock).doesNotThrowAnyException();
        assertThat(lock.tryLock()).isTrue();
    }

    // Objects

    @Test
    void obtainReturnsOneObjectForAKey() throws Exception {
        assertThat(registry.obtain(scene.key)).isSameAs(lock).hasToString("Lock '" + scene.key + "' of a registry");
        assertThat(registry.obtain(scene.key + "-other")).isNotSameAs(lock);
        assertThat(scene.registry().obtain(scene.key)).isNotSameAs(lock);
    }

    @Test
    void keysWithOneNameHaveOneLock() throws Exception {
        MongoLockRegistry folding = new MongoLockRegistry(
                scene.client(), key -> LockRequest.of(scene.key, TTL).fixedLease());

        assertThat(folding.obtain("a")).isSameAs(folding.obtain("b"));
    }

    @Test
    void keyThatIsNoStringIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.obtain(42))
                .withMessage("The key of a lock must be a String, was 42");
    }

    @Test
    void unusedObjectsAreForgotten() throws Exception {
        for (int i = 0; i < 100; i++) {
            DistributedLock unused = registry.obtain(scene.key + i);
            assertThat(unused.tryLock()).isTrue();
            unused.unlock();
        }

        soon("only one is known", () -> {
            System.gc();
            registry.expireUnusedOlderThan(0);
            return registry.size() == 1;
        });
        assertThat(registry.obtain(scene.key)).isSameAs(lock);
    }

    @Test
    void lockedObjectIsKept() throws Exception {
        int before = System.identityHashCode(locked(scene.key + "-kept"));
        soon("others are collected", () -> {
            registry.obtain(scene.key + "-unused");
            System.gc();
            registry.expireUnusedOlderThan(0);
            return registry.size() == 2;
        });

        DistributedLock kept = registry.obtain(scene.key + "-kept");
        assertThat(System.identityHashCode(kept)).isEqualTo(before);
        kept.unlock();
    }

    private DistributedLock locked(String key) {
        DistributedLock locked = registry.obtain(key);
        locked.lock();
        return locked;
    }

    // Re-entry

    @Test
    void fewerUnlocksThanLocksKeepTheLock() throws Exception {
        lock.lock();
        assertThat(lock.tryLock()).isTrue();
        lock.lockInterruptibly();

        lock.unlock();
        lock.unlock();

        assertThat(scene.isHeld()).isTrue();
        assertThat(BackgroundTask.run(lock::tryLock).result()).isFalse();
        lock.unlock();
        assertThat(scene.isHeld()).isFalse();
    }

    @Test
    void reentryRenewsTheLease() throws Exception {
        lock.lock();
        long token = registry.heldLock(scene.key).orElseThrow().fencingToken();
        scene.server.elapse(TTL.dividedBy(2));

        assertThat(lock.tryLock()).isTrue();

        assertThat(scene.left()).isGreaterThan(TTL.minus(STEP));
        assertThat(registry.heldLock(scene.key).orElseThrow().fencingToken()).isEqualTo(token);
    }

    @Test
    void reentryIsRefusedOnceAfterTheLeaseHasLapsed() throws Exception {
        lock.lock();
        scene.lapse();

        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.tryLock()).isTrue();
        assertThat(scene.isHeld()).isTrue();

        lock.unlock();
        assertThat(scene.isHeld()).isFalse();
        assertLossOnUnlock(lock, LossReason.EXPIRED);
        assertNotOwned(lock);
    }

    @Test
    void threadThatReleasesALostGrantHasNeitherTheClassLoaderNorTheThreadLocalsOfItsCaller() throws Exception {
        InheritableThreadLocal<String> callers = new InheritableThreadLocal<>();
        callers.set("of the caller");
        CompletableFuture<String> seen = new CompletableFuture<>();
        TimeSource time = () -> {
            Thread thread = Thread.currentThread();
            if (thread.getName().equals("mongo-locks-registry-release")) {
                seen.complete(thread.getContextClassLoader() + ", " + callers.get());
            }
            return scene.server.time().nanoTime();
        };
        lock = RegistryScene.registry(
                        scene.client(client -> ClientOptions.of(client).time(time)))
                .obtain(scene.key);
        lock.lock();
        scene.lapse();

        assertThat(lock.tryLock()).isFalse();

        assertThat(seen.get(1, TimeUnit.MINUTES)).isEqualTo("null, null");
    }

    @Test
    void reentryIsRefusedAfterAForcedRelease() throws Exception {
        lock.lock();
        assertThat(lock.tryLock()).isTrue();
        scene.forceRelease();

        assertThat(lock.tryLock(1, TimeUnit.DAYS)).isFalse();

        assertThat(registry.heldLock(scene.key)).isEmpty();
        assertLossOnUnlock(lock, LossReason.FORCED);
        assertLossOnUnlock(lock, LossReason.FORCED);
        assertNotOwned(lock);
    }

    @Test
    void reentryThatInsistsThrowsAfterALoss() throws Exception {
        lock.lock();
        scene.forceRelease();

        assertThatExceptionOfType(CannotAcquireLockException.class)
                .isThrownBy(lock::lock)
                .withMessageContaining("was lost")
                .withCauseInstanceOf(LockLostException.class);

        lock.lock();
        assertThat(scene.isHeld()).isTrue();
        lock.unlock();
        assertLossOnUnlock(lock, LossReason.FORCED);
    }

    @Test
    void reentryWithoutAServerIsALossWhenTheLeaseEnds() throws Exception {
        ProxyRoute route = scene.route();
        DistributedLock cutOff = RegistryScene.registry(scene.client(route)).obtain(scene.key);
        cutOff.lock();
        route.proxy().refuse();
        assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(cutOff::tryLock);

        scene.server.elapse(TTL);
        soon("the loss is reported", () -> isFalse(cutOff::tryLock));

        assertLossOnUnlock(cutOff, LossReason.RENEWAL_FAILED);
    }

    // Threads

    @Test
    void secondThreadWaitsForTheFirst() throws Exception {
        lock.lock();
        BackgroundTask<Boolean> second = BackgroundTask.run(() -> {
            lock.lockInterruptibly();
            lock.unlock();
            return true;
        });
        scene.server.elapse(A_MOMENT);
        assertThat(second.isDone()).isFalse();

        lock.unlock();

        assertThat(second.result()).isTrue();
        assertThat(scene.isHeld()).isFalse();
    }

    @Test
    void secondThreadDoesNotGetTheLock() throws Exception {
        lock.lock();

        assertThat(BackgroundTask.run(lock::tryLock).result()).isFalse();
        assertThat(BackgroundTask.run(() -> lock.tryLock(10, TimeUnit.MILLISECONDS))
                        .result())
                .isFalse();
        assertThat(BackgroundTask.run(() -> lock.tryLock(-1, TimeUnit.MILLISECONDS))
                        .result())
                .isFalse();
    }

    @Test
    void waitLongerThanThatOfTheClientIsPossible() throws Exception {
        lock.lock();
        BackgroundTask<Boolean> second = BackgroundTask.run(() -> lock.tryLock(Duration.ofDays(1000), TTL));
        scene.server.elapse(A_MOMENT);

        lock.unlock();

        assertThat(second.result()).isTrue();
    }

    @Test
    void unlockByAnotherThreadIsRefused() throws Exception {
        lock.lock();

        BackgroundTask.run(() -> {
                    assertNotOwned(lock);
                    return true;
                })
                .result();

        assertThat(scene.isHeld()).isTrue();
        lock.unlock();
        assertNotOwned(lock);
    }

    // Losses

    @Test
    void unlockReportsALapse() throws Exception {
        lock.lock();
        scene.lapse();

        assertLossOnUnlock(lock, LossReason.EXPIRED);

        assertThat(lock.tryLock()).isTrue();
        assertThatCode(lock::unlock).doesNotThrowAnyException();
    }

    @Test
    void unlockReportsADeletedDocument() {
        lock.lock();
        lock.unlock();
        scene.raiseToken();
        lock.lock();
        scene.deleteDocument();

        assertLossOnUnlock(lock);

        assertThatExceptionOfType(CannotAcquireLockException.class)
                .isThrownBy(lock::tryLock)
                .withCauseInstanceOf(TokenWentBackException.class);
        assertNotOwned(lock);
    }

    @Test
    void innerUnlockOfALostLockIsSilent() throws Exception {
        lock.lock();
        assertThat(lock.tryLock()).isTrue();
        scene.lapse();

        assertThatCode(lock::unlock).doesNotThrowAnyException();
        assertLossOnUnlock(lock, LossReason.EXPIRED);
    }

    @Test
    void lossInterruptsTheThreadIfRequested() throws Exception {
        DistributedLock interrupting = registry.interruptingOnLoss().obtain(scene.key);
        interrupting.lock();

        scene.lapse();

        soon("the thread is interrupted", () -> Thread.currentThread().isInterrupted());
        assertLossOnUnlock(interrupting, LossReason.EXPIRED);
        assertThat(Thread.interrupted()).isTrue();
    }

    /** The thread that finds the loss is not interrupted by it. */
    @Test
    @Tag("finds:unlock-clears-interrupt")
    void unlockKeepsAnInterruptOfAnotherOrigin() throws Exception {
        MongoLockRegistry interrupting = registry.interruptingOnLoss();
        DistributedLock mine = interrupting.obtain(scene.key);
        mine.lock();
        scene.forceRelease();
        assertThatIllegalStateException().isThrownBy(() -> interrupting.renewLock(scene.key));

        Thread.currentThread().interrupt();

        assertLossOnUnlock(mine, LossReason.FORCED);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void unlockAfterARefusedReentryKeepsTheInterruptOfTheLoss() throws Exception {
        DistributedLock interrupting = registry.interruptingOnLoss().obtain(scene.key);
        interrupting.lock();
        scene.lapse();
        soon("the thread is interrupted", () -> Thread.currentThread().isInterrupted());
        assertThat(interrupting.tryLock()).isFalse();

        assertLossOnUnlock(interrupting, LossReason.EXPIRED);

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void lossInterruptsNoThreadByItself() throws Exception {
        lock.lock();
        HeldLock held = registry.heldLock(scene.key).orElseThrow();

        scene.lapse();

        soon("the loss is known", () -> held.loss().isPresent());
        scene.server.elapse(A_MOMENT);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    // Renewal

    @Test
    void renewalExtendsTheLease() throws Exception {
        lock.lock();
        scene.server.elapse(TTL.dividedBy(2));

        registry.renewLock(scene.key);

        assertThat(scene.left()).isGreaterThan(TTL.minus(STEP));
    }

    @Test
    void renewalWithATtlExtendsTheLeaseForThatTime() throws Exception {
        lock.lock();

        registry.renewLock(scene.key, TTL.multipliedBy(2));
        assertThat(scene.left()).isGreaterThan(TTL);

        registry.renewLock(scene.key, Duration.ofNanos(1));
        assertThat(scene.left()).isGreaterThan(TTL);
    }

    @Test
    void renewalOfALockThatIsNotOwnedIsRefused() throws Exception {
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> registry.renewLock(scene.key))
                .withMessageContaining("not owned by thread");

        assertThat(BackgroundTask.run(lock::tryLock).result()).isTrue();
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> registry.renewLock(scene.key, TTL));
    }

    @Test
    void renewalOfALostLockFails() throws Exception {
        lock.lock();
        scene.forceRelease();

        for (int i = 0; i < 2; i++) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> registry.renewLock(scene.key))
                    .withMessageContaining("was lost")
                    .withCauseInstanceOf(LockLostException.class);
        }
        assertThat(lock.tryLock()).isFalse();
        assertThatIllegalStateException().isThrownBy(() -> registry.renewLock(scene.key));
        assertLossOnUnlock(lock, LossReason.FORCED);
    }

    @Test
    void renewalKeepsAnInterrupt() throws Exception {
        lock.lock();
        scene.server.elapse(TTL.dividedBy(2));

        Thread.currentThread().interrupt();
        registry.renewLock(scene.key);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(scene.left()).isGreaterThan(TTL.minus(STEP));
    }

    // Faults

    @Test
    void faultsAreExceptionsOfSpring() throws Exception {
        ProxyRoute route = scene.route();
        DistributedLock cutOff = RegistryScene.registry(scene.client(route)).obtain(scene.key);
        route.proxy().refuse();

        assertThatExceptionOfType(CannotAcquireLockException.class)
                .isThrownBy(cutOff::lock)
                .withMessageContaining(scene.key)
                .withCauseInstanceOf(LockException.class);
        assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(cutOff::lockInterruptibly);
        assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(cutOff::tryLock);
        assertNotOwned(cutOff);

        route.proxy().heal();
        soon("the lock is acquired", () -> isFalse(() -> !cutOff.tryLock()));
    }

    /** Returns whether a call returns false; not if it fails. */
    private void elapse(int steps) {
        for (int i = 0; i < steps; i++) {
            scene.server.elapse(STEP);
        }
    }

    private static boolean isFalse(BooleanSupplier call) {
        try {
            return !call.getAsBoolean();
        } catch (CannotAcquireLockException e) {
            return false;
        }
    }

    @Test
    void closedClientIsAnExceptionOfSpring() throws Exception {
        LockClient client = scene.client();
        DistributedLock closed = RegistryScene.registry(client).obtain(scene.key);
        closed.lock();
        client.close();

        assertThat(closed.tryLock()).isFalse();
        assertThatExceptionOfType(CannotAcquireLockException.class)
                .isThrownBy(closed::tryLock)
                .withCauseInstanceOf(ClientClosedException.class);
        assertLossOnUnlock(closed, LossReason.CLIENT_CLOSED);
    }

    @Test
    void failedReleaseIsNotThrown() throws Exception {
        ProxyRoute route = scene.route();
        DistributedLock cutOff = RegistryScene.registry(scene.client(route)).obtain(scene.key);
        cutOff.lock();
        route.proxy().refuse();

        assertThatCode(cutOff::unlock).doesNotThrowAnyException();

        assertThat(scene.isHeld()).isTrue();
        assertNotOwned(cutOff);
    }

    // Interrupts

    @Test
    void lockKeepsAnInterruptAndGoesOn() throws Exception {
        lock.lock();
        BackgroundTask<Boolean> second = BackgroundTask.run(() -> {
            lock.lock();
            return Thread.interrupted();
        });
        scene.server.elapse(A_MOMENT);
        second.interrupt();
        scene.server.elapse(A_MOMENT);
        assertThat(second.isDone()).isFalse();

        lock.unlock();

        assertThat(second.result()).isTrue();
        assertThat(scene.isHeld()).isTrue();
    }

    @Test
    void attemptKeepsAnInterrupt() {
        Thread.currentThread().interrupt();

        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock()).isTrue();

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void waitEndsWithAnInterrupt() throws Exception {
        lock.lock();
        for (Wait wait : List.<Wait>of(lock::lockInterruptibly, () -> lock.tryLock(1, TimeUnit.DAYS))) {
            BackgroundTask<Boolean> second = BackgroundTask.run(() -> {
                assertThatExceptionOfType(InterruptedException.class).isThrownBy(wait::run);
                assertNotOwned(lock);
                return true;
            });
            scene.server.elapse(A_MOMENT);

            second.interrupt();

            assertThat(second.result()).isTrue();
        }
    }

    /** A call that waits. */
    @FunctionalInterface
    private interface Wait {
        void run() throws InterruptedException;
    }

    @Test
    void unlockInAnInterruptedThreadReleasesTheLock() throws Exception {
        lock.lock();
        Thread.currentThread().interrupt();

        lock.unlock();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(scene.isHeld()).isFalse();
    }

    // Handles

    @Test
    void handleShowsTheFencingToken() throws Exception {
        assertThat(registry.heldLock(scene.key)).isEmpty();
        lock.lock();

        HeldLock held = registry.heldLock(scene.key).orElseThrow();

        assertThat(held.fencingToken())
                .isEqualTo(
                        scene.stored(scene.key).map(LockSnapshot::fencingToken).orElseThrow());
        assertThat(BackgroundTask.run(() -> registry.heldLock(scene.key)).result())
                .isEmpty();
        lock.unlock();
        assertThat(registry.heldLock(scene.key)).isEmpty();
    }

    @Test
    void handleThatTheCallerReleasedIsNoLossToReport() {
        lock.lock();
        assertThat(registry.heldLock(scene.key).orElseThrow().release()).isTrue();

        assertThatCode(lock::unlock).doesNotThrowAnyException();
    }

    // Arguments

    @Test
    @Tag("finds:registry-bounds")
    void extremeTimesAreRaisedOrRefused() throws Exception {
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
        Duration shortest = Duration.ofSeconds(Long.MIN_VALUE);

        lock.lock();
        assertThat(lock.tryLock(longest, Duration.ofNanos(1))).isTrue();
        assertThat(lock.tryLock(shortest, Duration.ZERO)).isTrue();
        assertThat(lock.tryLock(Long.MIN_VALUE, TimeUnit.DAYS)).isTrue();
        assertThat(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
        registry.expireUnusedOlderThan(Long.MIN_VALUE);
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> lock.lock(longest),
                () -> lock.tryLock(Duration.ZERO, longest),
                () -> registry.renewLock(scene.key, longest),
                () -> registry.renewLock(scene.key, LockRequest.MAX_TTL.plusNanos(1)))) {
            assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining("ttl must be at most PT24H");
        }
        registry.renewLock(scene.key, shortest);
        String other = scene.key + "-2";
        registry.obtain(other).lock(shortest);
        assertThat(scene.stored(other).orElseThrow().ttl()).isEqualTo(LockRequest.MIN_TTL);
    }

    @Test
    @Tag("finds:registry-bounds")
    void nullIsRefusedWithItsName() {
        lock.lock();
        Map<ThrowingCallable, String> calls = Map.of(
                () -> registry.renewLock(scene.key, null), "The ttl is null",
                () -> lock.lock(null), "The ttl is null",
                () -> lock.tryLock(Duration.ZERO, null), "The ttl is null",
                () -> lock.tryLock(null, TTL), "The wait is null",
                () -> lock.tryLock(1, null), "The unit is null",
                () -> new MongoLockRegistry(scene.client(), key -> null).obtain("no"),
                        "The request for the key 'no' is null");

        calls.forEach((call, message) ->
                assertThatNullPointerException().isThrownBy(call).withMessage(message));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.renewLock(null, TTL))
                .withMessage("The key of a lock must be a String, was null");
    }

    private static void assertLossOnUnlock(Lock lost, LossReason reason) {
        assertThatExceptionOfType(ConcurrentModificationException.class)
                .isThrownBy(lost::unlock)
                .withMessageContaining("may have been compromised")
                .satisfies(error -> assertThat(error.getCause())
                        .isInstanceOfSatisfying(
                                LockLostException.class,
                                loss -> assertThat(loss.reason()).isEqualTo(reason)));
    }

    private static void assertLossOnUnlock(Lock lost) {
        assertThatExceptionOfType(ConcurrentModificationException.class)
                .isThrownBy(lost::unlock)
                .withCauseInstanceOf(LockLostException.class);
    }

    private static void assertNotOwned(Lock lock) {
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(lock::unlock)
                .withMessageContaining("not owned by thread");
    }
}
