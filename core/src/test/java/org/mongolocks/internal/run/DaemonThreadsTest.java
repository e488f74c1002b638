package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DaemonThreadsTest {
    private static final long SOON_SECONDS = 60;
    private static final int MANY = 500;

    private final DaemonThreads threads = new DaemonThreads("lab");
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final Collection<Thread> used = new ConcurrentLinkedQueue<>();

    @AfterEach
    void stop() {
        goOn.countDown();
        threads.endWhenIdle();
    }

    @Test
    void anyNumberOfBlockedCallbacksDelaysNoOther() throws Exception {
        block(MANY);

        assertThat(runsOn(threads.callbacks())).isTrue();
    }

    /** They have no more threads than without a callback that blocks, but for the few whose thread waits for a core. */
    @Test
    void shortCallbacksShareTheThreads() throws Exception {
        Set<Thread> sharing = ConcurrentHashMap.newKeySet();
        CountDownLatch ended = new CountDownLatch(20 * MANY);
        for (int i = 0; i < 20 * MANY; i++) {
            threads.callbacks().execute(() -> {
                sharing.add(Thread.currentThread());
                ended.countDown();
            });
        }

        assertThat(ended.await(SOON_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(sharing).hasSizeLessThan(MANY);
    }

    @Test
    void threadsOfCallbacksEndWhenTheyAreIdle() throws Exception {
        block(MANY);
        threads.endWhenIdle();
        goOn.countDown();

        for (Thread thread : used) {
            thread.join(TimeUnit.SECONDS.toMillis(SOON_SECONDS));
            assertThat(thread.isAlive()).isFalse();
        }
    }

    @Test
    void callbacksThatWaitBehindBlockedOnesRunBeforeTheEnd() throws Exception {
        CountDownLatch begun = new CountDownLatch(MANY);
        for (int i = 0; i < MANY; i++) {
            threads.callbacks().execute(() -> {
                begun.countDown();
                await(begun);
            });
        }

        threads.stop(Duration.ofSeconds(SOON_SECONDS));

        assertThat(begun.getCount()).isZero();
    }

    static List<Executor> faultyExecutors() {
        return List.of(
                task -> {
                    throw new RejectedExecutionException("full, for a test");
                },
                task -> {
                    throw new IllegalStateException("broken, for a test");
                },
                task -> {
                    throw new NoClassDefFoundError("broken, for a test");
                },
                task -> {
                    task.run();
                    throw new IllegalStateException("broken afterwards, for a test");
                });
    }

    @ParameterizedTest
    @MethodSource("faultyExecutors")
    void listenerThatTheExecutorDoesNotAcceptIsCalledOnce(Executor faulty) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Executor listeners = threads.listeners(Optional.of(faulty));
        listeners.execute(calls::incrementAndGet);

        assertThat(runsOn(listeners)).isTrue();
        threads.stop(Duration.ofSeconds(SOON_SECONDS));
        assertThat(calls).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"timer", "pool", "callback", "single"})
    void threadHasTheClassLoaderOfWhatCreatedItAndNoThreadLocals(String kind) throws Exception {
        InheritableThreadLocal<String> callers = new InheritableThreadLocal<>();
        callers.set("of the caller");
        CompletableFuture<List<Object>> seen = new CompletableFuture<>();
        Runnable look = () -> seen.complete(Stream.of(
                        Optional.ofNullable(Thread.currentThread().getContextClassLoader()),
                        Optional.ofNullable(callers.get()),
                        Thread.currentThread().isDaemon())
                .toList());

        Thread me = Thread.currentThread();
        ClassLoader creator = me.getContextClassLoader();
        ClassLoader another = new ClassLoader(null) {};
        me.setContextClassLoader(another);
        try {
            switch (kind) {
                case "timer" -> threads.timer().schedule(Duration.ZERO, look);
                case "pool" ->
                    threads.pool("pool", 1, new LinkedBlockingQueue<>()).execute(look);
                case "callback" -> threads.callbacks().execute(look);
                default -> DaemonThreads.thread("single", look).start();
            }
        } finally {
            me.setContextClassLoader(creator);
        }

        assertThat(seen.get(SOON_SECONDS, TimeUnit.SECONDS))
                .containsExactly(Optional.of(kind.equals("single") ? another : creator), Optional.empty(), true);
    }

    private void block(int many) throws InterruptedException {
        CountDownLatch blocked = new CountDownLatch(many);
        for (int i = 0; i < many; i++) {
            threads.callbacks().execute(() -> {
                used.add(Thread.currentThread());
                blocked.countDown();
                await(goOn);
            });
        }
        assertThat(blocked.await(SOON_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    private static boolean runsOn(Executor executor) throws InterruptedException {
        CountDownLatch run = new CountDownLatch(1);
        executor.execute(run::countDown);
        return run.await(SOON_SECONDS, TimeUnit.SECONDS);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
