package org.mongolocks.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mongolocks.spring.LockingScene.TTL;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.sync.DistributedLock;
import org.mongolocks.sync.HeldLock;
import org.springframework.beans.factory.annotation.Autowired;

/** Tests of methods that return when their work is done. */
class LockedTest {
    private LockingScene scene;

    @BeforeEach
    void open() throws InterruptedException {
        scene = new LockingScene();
    }

    @AfterEach
    void close() throws Exception {
        Thread.interrupted();
        scene.close();
    }

    /** A bean whose methods do what a test passes. */
    static class Bean {
        private final List<String> calls = new ArrayList<>();

        public List<String> calls() {
            return calls;
        }

        @Locked("work")
        public <R> R run(Supplier<R> work) {
            return work.get();
        }

        @Locked("work")
        public void fail(Exception failure) throws Exception {
            throw failure;
        }

        @Locked(name = "work", whenContended = WhenContended.SKIP)
        public @Nullable String skip(Supplier<String> work) {
            return work.get();
        }

        @Locked(name = "work", whenContended = WhenContended.SKIP)
        public Optional<String> skipOptional() {
            return Optional.of("done");
        }

        @Locked(name = "work", whenContended = WhenContended.SKIP)
        public OptionalInt skipInt() {
            return OptionalInt.of(1);
        }

        @Locked(name = "work", whenContended = WhenContended.SKIP)
        public void skipVoid() {
            calls.add("skipVoid");
        }

        @Locked(name = "work-#{#id}", fallback = "instead")
        public int bill(int id) {
            return id;
        }

        @SuppressWarnings("unused")
        private int instead(int id) throws IOException {
            if (id < 0) {
                throw new IOException("no fallback for " + id);
            }
            return -id;
        }

        @Locked(name = "work", waitAtMost = "5m")
        public String patiently() {
            return "done";
        }

        @Locked(name = "work", waitAtMost = "5m")
        public String interruptibly() throws InterruptedException {
            return "done";
        }

        @Locked(name = "work", ttl = "3m", fixedLease = true)
        public void withAFixedLease(Runnable work) {
            work.run();
        }

        @Locked(name = "work", ttl = "PT3M", keepAliveAtMost = "6m")
        public void atMost(Runnable work) {
            work.run();
        }

        @Locked("work")
        public void sleep(CountDownLatch started) throws InterruptedException {
            started.countDown();
            new CountDownLatch(1).await();
        }

        public long throughThis() {
            return token();
        }

        @Locked("work")
        public long token() {
            return CurrentLock.get().fencingToken();
        }
    }

    private Bean bean() {
        return scene.bean(Bean.class);
    }

    @Test
    void contendedCallThatSkipsReturnsNothing() throws Exception {
        Bean bean = bean();
        try (HeldLock held = scene.holdElsewhere("work")) {
            assertThat(bean.skip(() -> "done")).isNull();
            assertThat(bean.skipOptional()).isEmpty();
            assertThat(bean.skipInt()).isEmpty();
            bean.skipVoid();
            assertThat(bean.calls()).isEmpty();
            assertThat(held.isHeld()).isTrue();
        }

        assertThat(bean.skip(() -> "done")).isEqualTo("done");
        assertThat(bean.skipOptional()).contains("done");
    }

    @Test
    void contentionOfANestedCallIsNotSkipped() throws Exception {
        LockContendedException nested = contention();

        assertThatExceptionOfType(LockContendedException.class)
                .isThrownBy(() -> bean().skip(() -> {
                    throw nested;
                }))
                .isSameAs(nested);
    }

    private LockContendedException contention() throws Exception {
        try (HeldLock held = scene.holdElsewhere("other")) {
            scene.locks.acquire("other").close();
            throw new AssertionError("Acquired though held: " + held);
        } catch (LockContendedException e) {
            return e;
        }
    }

    @Test
    void contendedCallCallsTheFallbackWithItsArguments() throws Exception {
        Bean bean = bean();
        try (HeldLock held = scene.holdElsewhere("work-7")) {
            assertThat(bean.bill(7)).isEqualTo(-7);
            assertThat(bean.bill(8)).isEqualTo(8);
            assertThat(held.isHeld()).isTrue();
        }

        assertThat(bean.bill(7)).isEqualTo(7);
    }

    @Test
    void exceptionOfTheFallbackIsThrown() throws Exception {
        Bean bean = bean();
        try (HeldLock held = scene.holdElsewhere("work--7")) {
            assertThat(held.isHeld()).isTrue();
            assertThatExceptionOfType(Exception.class)
                    .isThrownBy(() -> bean.bill(-7))
                    .havingRootCause()
                    .isInstanceOf(IOException.class)
                    .withMessage("no fallback for -7");
        }
    }

    @Test
    void callWaitsForTheLock() throws Exception {
        Bean bean = bean();
        HeldLock held = scene.holdElsewhere("work");
        BackgroundTask<String> call = BackgroundTask.run(bean::patiently);

        held.release();

        assertThat(call.result()).isEqualTo("done");
    }

    @Test
    void interruptOfTheWaitIsKeptUnlessTheMethodDeclaresIt() throws Exception {
        Bean bean = bean();
        try (HeldLock held = scene.holdElsewhere("work")) {
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(bean::patiently)
                    .withMessageContaining("'work' was interrupted");
            assertThat(Thread.interrupted()).isTrue();

            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(bean::interruptibly);
            assertThat(Thread.interrupted()).isFalse();
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void keepAliveHasALimit() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> bean().atMost(() -> {
                    for (int i = 0; i < 12; i++) {
                        scene.server.elapse(Duration.ofSeconds(31));
                    }
                }));
    }

    @Test
    void ttlIsThatOfTheAnnotationOrOfTheClient() {
        List<Duration> ttls = new ArrayList<>();

        bean().withAFixedLease(() -> ttls.add(CurrentLock.get().lease().ttl()));
        bean().run(() -> ttls.add(CurrentLock.get().lease().ttl()));

        assertThat(ttls).containsExactly(Duration.ofMinutes(3), TTL);
    }

    @Test
    @Tag("finds:locked-in-work-of-the-client")
    void callInsideOfWorkOfTheClientEntersItsLock() throws Exception {
        Bean bean = bean();

        long token = scene.locks.callWithLock("work", lock -> {
            long inner = bean.token();
            assertThat(inner).isEqualTo(lock.fencingToken());
            assertThat(isHeld()).isTrue();
            return inner;
        });
        boolean done = scene.locks
                .reentrant("owner")
                .tryWithLock(
                        scene.locks.request("work"),
                        lock -> assertThat(bean.token())
                                .isEqualTo(lock.fencingToken())
                                .isEqualTo(token + 1));

        assertThat(done).isTrue();
        assertThat(isHeld()).isFalse();
    }

    @Test
    @Tag("finds:reentrant-in-locked")
    void reentrantWorkInsideOfACallEntersItsLock() {
        bean().run(() -> {
            try {
                long token = CurrentLock.get().fencingToken();
                assertThat(scene.locks
                                .reentrant("owner")
                                .tryCallWithLock(scene.locks.request("work"), HeldLock::fencingToken))
                        .contains(token);
                assertThat(scene.locks.reentrant("owner").tryWithLock(scene.locks.request("work"), lock -> {}))
                        .isTrue();
                assertThat(isHeld()).isTrue();
                return token;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        assertThat(isHeld()).isFalse();
    }

    @Test
    @Tag("finds:nested-requests-wait")
    void callOnAThreadThatHasLockedItsLockEntersIt() {
        Bean bean = bean();
        DistributedLock lock = scene.locks.asLock(scene.locks.request("work"));

        lock.lock();
        try {
            assertThat(bean.token()).isEqualTo(lock.fencingToken());
        } finally {
            lock.unlock();
        }

        assertThat(isHeld()).isFalse();
    }

    @Test
    void callOnAThreadThatHoldsItsLockByAHandleIsContended() throws Exception {
        Bean bean = bean();

        try (HeldLock lock = scene.locks.acquire("work")) {
            assertThatExceptionOfType(LockContendedException.class)
                    .isThrownBy(bean::token)
                    .withMessageContaining("is held by this very thread");
            assertThat(lock.isHeld()).isTrue();
        }
    }

    @Test
    void currentLockIsThatOfTheInnermostCall() {
        Bean bean = bean();

        List<String> names = bean.run(() -> {
            List<String> found = new ArrayList<>();
            bean.bill(1);
            found.add(CurrentLock.get().lease().name().value());
            return found;
        });

        assertThat(names).containsExactly("work");
        assertThatIllegalStateException().isThrownBy(CurrentLock::get);
    }

    @Test
    void callThroughThisIsDetectedByCurrentLock() {
        assertThatIllegalStateException()
                .isThrownBy(() -> bean().throughThis())
                .withMessageContaining("not through this");
    }

    /** A bean that calls another one under the same lock. */
    static class Outer {
        @Autowired
        Bean bean;

        @Locked("work")
        public boolean call() {
            return bean.token() == CurrentLock.get().fencingToken();
        }
    }

    private boolean isHeld() {
        try {
            return scene.isHeld("work");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
