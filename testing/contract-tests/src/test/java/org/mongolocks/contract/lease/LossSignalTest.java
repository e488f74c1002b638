package org.mongolocks.contract.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.server.Warnings;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Tests that a loss is signalled while every thread that belongs to the application is blocked. */
@ExtendWith(DroppedDatabase.class)
@Isolated("It blocks the schedulers that all reactive code of this JVM shares")
class LossSignalTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    /** Long enough for a renewal on a busy machine. */
    private static final Duration SHORT_TTL = Duration.ofSeconds(6);

    private static final Duration SOON = Duration.ofSeconds(20);
    /** More than a client has threads for callbacks that do not block. */
    private static final int MANY = 100;

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final String instance = "signals-" + UUID.randomUUID();
    private final LockRequest request = LockRequest.of(instance, TTL).fixedLease();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private ReactiveLockClient locks;

    @BeforeEach
    void build() {
        locks = ReactiveLockClient.builder(connection.reactive(), LockContract.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(new FindAndModifyCounterStrategy())
                .instance(instance)
                .build()
                .blockOptional(SOON)
                .orElseThrow();
    }

    @AfterEach
    void close() {
        goOn.countDown();
        locks.close();
    }

    @Test
    void workIsCancelledWhileAllSharedSchedulersAreBlocked() throws Exception {
        Guarded work = new Guarded(request, () -> {});
        ReactiveHeldLock lock = work.lock();
        block(Schedulers.boundedElastic());
        block(Schedulers.parallel());

        lose(lock);

        assertThat(work.cancelled.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        requireLost(work);
    }

    /** With the timer of the client, in real time. */
    @Test
    void lockIsKeptAliveWhileAllSharedSchedulersAreBlocked() throws Exception {
        block(Schedulers.boundedElastic());
        block(Schedulers.parallel());
        ReactiveHeldLock lock = hold(LockRequest.of(instance, SHORT_TTL));
        long before = lock.lease().validUntilNanos();

        Eventually.isTrue(
                "the lease is renewed twice",
                () -> lock.lease().validUntilNanos() - before
                        > SHORT_TTL.dividedBy(2).toNanos());

        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void waitEndsWhileAllSharedSchedulersAreBlocked() throws Exception {
        locks.tryAcquire(request).block(SOON);
        block(Schedulers.parallel());

        assertThat(locks.tryAcquire(request.waitAtMost(Duration.ofMillis(50))).blockOptional(SOON))
                .isEmpty();
    }

    @Test
    void closeEndsWhileAllSharedSchedulersAreBlocked() throws Exception {
        try (ProxyRoute detour = ProxyRoute.to(ServerFinder.found().uri(), true)) {
            ReactiveLockClient hanging = ReactiveLockClient.builder(
                            detour.connection().reactive(), LockContract.DATABASE)
                    .drainTimeout(Duration.ZERO)
                    .strategy(new FindAndModifyCounterStrategy())
                    .commandTimeout(Duration.ofMinutes(5))
                    .closeTimeout(Duration.ofMillis(50))
                    .build()
                    .blockOptional(SOON)
                    .orElseThrow();
            hanging.tryAcquire(request).block(SOON);
            detour.proxy().arm(CommandMatcher.atAll(List.of("update")), WireFault.holdRequest());
            block(Schedulers.parallel());

            hanging.closeLater().block(SOON);
        }
    }

    @Test
    void subscribersAndCancelledWorkThatBlockDelayNoOtherLoss() throws Exception {
        for (int i = 0; i < MANY; i++) {
            Guarded blocking =
                    new Guarded(LockRequest.of(instance + "-" + i, TTL).fixedLease(), () -> await(goOn));
            CompletableFuture<Boolean> unused = blocking.done.whenComplete((result, error) -> await(goOn));
            lose(blocking.lock());
        }
        Guarded other = new Guarded(request, () -> {});

        lose(other.lock());

        assertThat(other.cancelled.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        requireLost(other);
    }

    /** A result that ends a pause arrives on a thread of the client. */
    @Test
    void subscribersThatBlockDelayNoResult() throws Exception {
        hold(request);
        LockRequest briefly = request.waitAtMost(Duration.ofMillis(50));
        CountDownLatch blocked = new CountDownLatch(MANY);
        for (int i = 0; i < MANY; i++) {
            locks.tryAcquire(briefly)
                    .doOnTerminate(() -> {
                        blocked.countDown();
                        await(goOn);
                    })
                    .subscribe();
        }
        assertThat(blocked.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();

        assertThat(locks.tryAcquire(briefly).blockOptional(SOON)).isEmpty();
    }

    private ReactiveHeldLock hold(LockRequest request) {
        return locks.tryAcquire(request).blockOptional(SOON).orElseThrow();
    }

    /** Work that never ends under a lock. */
    private final class Guarded {
        private final CountDownLatch cancelled = new CountDownLatch(1);
        private final CompletableFuture<ReactiveHeldLock> held = new CompletableFuture<>();
        private final CompletableFuture<Boolean> done;

        Guarded(LockRequest request, Runnable onCancel) {
            this.done = locks.tryWithLock(request, lock -> {
                        held.complete(lock);
                        return Mono.never().doOnCancel(() -> {
                            cancelled.countDown();
                            onCancel.run();
                        });
                    })
                    .toFuture();
        }

        ReactiveHeldLock lock() throws Exception {
            return held.get(SOON.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static void requireLost(Guarded work) {
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> work.done.get(SOON.toSeconds(), TimeUnit.SECONDS))
                .withCauseInstanceOf(LockLostException.class);
    }

    /** The loss is found by the thread that renews. */
    private void lose(ReactiveHeldLock lock) {
        locks.inspect(lock.lease().name()).flatMap(locks::forceRelease).block(SOON);
        assertThat(lock.renew().block(SOON)).isFalse();
    }

    /** Occupies every thread of a scheduler until the test ends. */
    private void block(Scheduler scheduler) throws InterruptedException {
        boolean isParallel = scheduler == Schedulers.parallel();
        int threads = isParallel ? Schedulers.DEFAULT_POOL_SIZE : Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE;
        Set<Thread> blocked = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(threads);
        for (int i = 0; i < 2 * threads; i++) {
            scheduler.schedule(() -> {
                blocked.add(Thread.currentThread());
                all.countDown();
                await(goOn);
            });
        }
        assertThat(all.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(blocked).hasSize(threads);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void listenersThatBlockAreReportedOnce(Driver driver) throws Exception {
        try (Warnings warnings = Warnings.collect();
                BlockingLocks client = driver.build(connection, LockContract.DATABASE, this::configure)) {
            try {
                CountDownLatch blocked = new CountDownLatch(MANY);
                for (int i = 0; i < MANY; i++) {
                    LockName name = LockName.of(instance + "-" + i);
                    BlockingLock lock = client.tryAcquire(name, TTL).orElseThrow();
                    lock.onLost((lease, reason) -> {
                        blocked.countDown();
                        await(goOn);
                    });
                    client.forceRelease(client.inspect(name).orElseThrow());
                    assertThat(lock.renew()).isFalse();
                }
                assertThat(blocked.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();

                Eventually.isTrue(
                        "it is logged", () -> !warnings.about("callbacks block").isEmpty());
                assertThat(warnings.about("callbacks block")).hasSize(1);
            } finally {
                goOn.countDown();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void forcedReleaseIsLoggedWithWhoDidIt(Driver driver) throws Exception {
        LockName name = LockName.of(instance);
        try (Warnings warnings = Warnings.collect();
                BlockingLocks client = driver.build(connection, LockContract.DATABASE, this::configure)) {
            assertThat(client.tryAcquire(name, TTL)).isPresent();
            LockSnapshot seen = client.inspect(name).orElseThrow();
            assertThat(client.forceRelease(seen)).isTrue();
            assertThat(client.forceRelease(seen)).isFalse();

            assertThat(warnings.about("by force"))
                    .containsExactly("Lock '" + name + "' of '" + seen.holder().orElseThrow() + "' (token "
                            + seen.fencingToken() + ") was released by force, by instance '" + instance + "'");
        }
    }

    private void configure(LockClientBuilder<?> builder) {
        builder.strategy(new FindAndModifyCounterStrategy()).instance(instance);
    }
}
