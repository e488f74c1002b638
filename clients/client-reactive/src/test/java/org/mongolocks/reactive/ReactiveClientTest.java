package org.mongolocks.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.ClientClosedException;
import org.mongolocks.ClientStatus.ChangeStream.State;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.FaultRule;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.Commands;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.server.Warnings;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.function.Tuples;

/** Tests of the reactive client alone. */
@ExtendWith(DroppedDatabase.class)
class ReactiveClientTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final int SHUTDOWN_IN_PROGRESS = 91;

    private final Commands commands = new Commands();
    private final DriverClients connection =
            DriverClients.observedBy(ServerFinder.found().uri(), commands);
    private final ReactiveLockClient locks = build(connection);
    private final LockName name = LockName.of("reactive-" + UUID.randomUUID());
    private final LockRequest request = LockRequest.of(name, TTL).fixedLease();

    @AfterEach
    void close() {
        locks.close();
        connection.close();
    }

    @Test
    void nothingIsSentBeforeItIsSubscribed() {
        int before = commands.count();

        Mono<ReactiveHeldLock> acquisition = locks.tryAcquire(request);
        ReactiveHeldLock lock = get(acquisition);
        lock.renew();
        lock.release();
        locks.inspect(name);

        assertThat(commands.since(before)).containsExactly("findAndModify");
    }

    @Test
    void everySubscriberHasAnAcquisitionOfItsOwn() {
        Mono<ReactiveHeldLock> acquisition = locks.tryAcquire(request);

        ReactiveHeldLock first = get(acquisition);
        assertThat(acquisition.blockOptional(SOON)).isEmpty();
        first.release().block(SOON);
        ReactiveHeldLock second = get(acquisition);
        assertThat(second.lease().owner()).isNotEqualTo(first.lease().owner());
        assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
    }

    /** Without it the lock would stay held, although its handle says that it was released. */
    @Test
    void releaseIsSentAlthoughItsSubscriberRequestsNothing() throws Exception {
        ReactiveHeldLock lock = get(locks.tryAcquire(request));

        lock.release().subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                subscription.cancel();
            }
        });

        Eventually.isTrue(
                "the lock is free",
                () -> locks.tryAcquire(request).blockOptional(SOON).isPresent());
    }

    @Test
    void failedWorkReleasesTheLock() {
        Mono<Boolean> failing =
                locks.tryWithLock(request, lock -> Mono.error(new IllegalStateException("the work failed")));

        assertThatIllegalStateException().isThrownBy(() -> failing.block(SOON)).withMessage("the work failed");
        assertThat(locks.tryAcquire(request).blockOptional(SOON)).isPresent();
    }

    @Test
    void aLossIsASignal() {
        ReactiveHeldLock lock = get(locks.tryAcquire(request));
        Mono<LossReason> lost = lock.lost().cache();
        lost.subscribe();

        locks.inspect(name).flatMap(locks::forceRelease).then(lock.renew()).block(SOON);

        assertThat(lost.block(SOON)).isEqualTo(LossReason.FORCED);
    }

    @Test
    void workIsCancelledWhenItsLockIsLost() {
        AtomicBoolean cancelled = new AtomicBoolean();
        Mono<Boolean> losing = locks.tryWithLock(
                request,
                lock -> Mono.never()
                        .doOnSubscribe(on -> locks.inspect(name)
                                .flatMap(locks::forceRelease)
                                .then(lock.renew())
                                .subscribe())
                        .doOnCancel(() -> cancelled.set(true)));

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> losing.block(SOON))
                .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LossReason.FORCED));
        assertThat(cancelled).isTrue();
        assertThat(locks.tryAcquire(request).blockOptional(SOON)).isPresent();
    }

    @Test
    void closingReleasesAndBreaksOffTheWork() throws InterruptedException {
        CountDownLatch working = new CountDownLatch(1);
        Mono<Boolean> work = locks.tryWithLock(request, lock -> Mono.never().doOnSubscribe(on -> working.countDown()))
                .cache();
        work.subscribe(done -> {}, error -> {});
        working.await();

        locks.closeLater().block(SOON);

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> work.block(SOON))
                .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LossReason.CLIENT_CLOSED));
        assertThat(get(locks.inspect(name)).isHeld()).isFalse();
    }

    @Test
    void closingWaitsForRunningCompensation() throws Exception {
        String uri = ServerFinder.found().uri();
        try (ProxyRoute detour = ProxyRoute.to(uri, settings -> settings.addCommandListener(commands))) {
            ReactiveLockClient slow = build(detour.connection());
            FaultRule trap =
                    detour.proxy().arm(CommandMatcher.atNext(List.of("findAndModify")), WireFault.holdRequest());
            int before = commands.count();
            Disposable asking = slow.tryAcquire(request).subscribe();
            trap.awaitCaught();

            asking.dispose();
            BackgroundTask<Boolean> closing = BackgroundTask.run(() -> {
                slow.close();
                return true;
            });
            trap.release();

            assertThat(closing.result()).isTrue();
            assertThat(commands.since(before)).containsExactly("findAndModify", "update");
        }
        assertThat(get(locks.inspect(name)).isHeld()).isFalse();
    }

    @Test
    void compensationIsRepeatedAfterFaultsAlthoughTheSubscriberHasCancelled() throws Exception {
        try (ProxyRoute detour = ProxyRoute.to(ServerFinder.found().uri(), false)) {
            ReactiveLockClient slow = build(detour.connection());
            FaultRule trap =
                    detour.proxy().arm(CommandMatcher.atNext(List.of("findAndModify")), WireFault.holdRequest());
            detour.proxy().arm(new CommandMatcher(Set.of("update"), 0, 4), WireFault.refuse(SHUTDOWN_IN_PROGRESS));
            Disposable asking = slow.tryAcquire(
                            LockRequest.of(name, SOON.multipliedBy(10)).fixedLease())
                    .subscribe();
            trap.awaitCaught();

            asking.dispose();
            trap.release();

            Eventually.isTrue(
                    "the lock was acquired and is free",
                    () -> locks.inspect(name).blockOptional(SOON).stream().anyMatch(found -> !found.isHeld()));
            slow.close();
        }
    }

    /** The cancellation comes a little later after the grant each time: at no moment is the grant dropped. */
    @ParameterizedTest
    @ValueSource(strings = {"withLock", "call", "withLocks", "usingWhen"})
    void cancellationSoonAfterTheGrantReleasesTheLock(String method) throws Exception {
        AtomicInteger granted = new AtomicInteger();
        DriverClients counted = DriverClients.observedBy(ServerFinder.found().uri(), new CommandListener() {
            @Override
            public void commandSucceeded(CommandSucceededEvent event) {
                if (event.getCommandName().equals("findAndModify")) {
                    granted.incrementAndGet();
                }
            }
        });
        try (ReactiveLockClient client = build(counted)) {
            for (int pause = 0; pause < 300; pause += 3) {
                int before = granted.get();
                Disposable work = Flux.from(work(client, method)).subscribe();
                spinUntil(() -> granted.get() > before, SOON);
                spinUntil(() -> false, Duration.ofNanos(1_000L * pause));
                work.dispose();

                Eventually.isTrue(
                        "the lock is released",
                        () -> locks.inspect(name).blockOptional(SOON).stream().noneMatch(LockSnapshot::isHeld));
            }
        } finally {
            counted.close();
        }
    }

    private Publisher<?> work(ReactiveLockClient client, String method) {
        return switch (method) {
            case "withLock" -> client.tryWithLock(request, lock -> Mono.never());
            case "call" -> client.callWithLock(request, lock -> Mono.never());
            case "withLocks" ->
                client.tryWithLocks(
                        MultiLockRequest.of(List.of(name.value()), TTL).fixedLease(), held -> Mono.never());
            default -> Mono.usingWhen(client.tryAcquire(request), lock -> Mono.never(), ReactiveHeldLock::close);
        };
    }

    private static void spinUntil(BooleanSupplier condition, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void cancellationAndCloseLogNoWarning() throws Exception {
        try (Warnings warnings = Warnings.collect();
                ProxyRoute detour = ProxyRoute.to(ServerFinder.found().uri(), true)) {
            ReactiveLockClient slow = build(detour.connection());
            FaultRule trap = detour.proxy()
                    .arm(CommandMatcher.atNext(List.of("findAndModify")), WireFault.holdReply(WireFault.none()));
            Disposable asking = slow.tryAcquire(request).subscribe();
            trap.awaitExecuted();

            asking.dispose();
            BackgroundTask<Boolean> closing = BackgroundTask.run(() -> {
                slow.close();
                return true;
            });
            Eventually.isTrue("it is closed", () -> isClosed(slow));
            trap.release();

            assertThat(closing.result()).isTrue();
            assertThat(warnings.about(name.value())).isEmpty();
        }
    }

    private boolean isClosed(ReactiveLockClient client) {
        try {
            client.tryAcquire(request).block(SOON);
            return false;
        } catch (ClientClosedException e) {
            assertThat(e).hasMessageContaining("closed");
            return true;
        }
    }

    /** All acquisitions are subscribed to on the only thread of a scheduler, which stays free for the release. */
    @Test
    void waitingBlocksNoThread() {
        ReactiveHeldLock held = get(locks.tryAcquire(request));
        LockRequest patient = LockRequest.of(name, TTL).fixedLease().waitAtMost(SOON);
        Scheduler oneThread = Schedulers.newSingle("one-thread");
        try {
            Mono<Long> oneAfterAnother = Flux.range(0, 10)
                    .flatMap(index -> locks.tryWithLock(patient, lock -> Mono.empty())
                            .filter(isDone -> isDone)
                            .subscribeOn(oneThread))
                    .count();
            Mono<Boolean> released = Mono.defer(held::release).subscribeOn(oneThread);

            assertThat(Mono.zip(oneAfterAnother, released).block(SOON)).isEqualTo(Tuples.of(10L, true));
        } finally {
            oneThread.dispose();
        }
    }

    @Test
    void closeOnANonBlockingThreadDoesNotWait() {
        get(locks.tryAcquire(request));

        Mono.fromRunnable(locks::close).subscribeOn(Schedulers.parallel()).block(SOON);

        assertThatExceptionOfType(ClientClosedException.class)
                .isThrownBy(() -> locks.tryAcquire(request).block(SOON));
    }

    @Test
    void reentryThatIsCancelledBeforeItIsRequestedIsNotCounted() throws Exception {
        ReactiveHeldLock first = get(locks.reentrant("owner").tryAcquire(request));

        locks.reentrant("owner").tryAcquire(request).subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                subscription.cancel();
            }
        });

        assertThat(locks.reentrant("owner").holdCount(name)).isOne();
        assertThat(first.release().block(SOON)).isTrue();
        assertThat(locks.tryAcquire(request).blockOptional(SOON)).isPresent();
    }

    @Test
    void clientsOfOneBuilderAreIndependent() throws Exception {
        ReactiveHeldLock held = get(locks.tryAcquire(request));
        Mono<ReactiveLockClient> build = ReactiveLockClient.builder(connection.reactive(), ContractServer.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(new FindAndModifyCounterStrategy())
                .closeTimeout(TTL)
                .build();
        ReactiveLockClient first = get(build);
        ReactiveLockClient second = get(build);
        int before = commands.count();
        CompletableFuture<ReactiveHeldLock> waiting =
                second.tryAcquire(request.waitAtMost(SOON)).toFuture();
        Eventually.isTrue("the second waits", () -> commands.since(before).contains("findAndModify"));

        first.closeLater().block(SOON);
        held.release().block(SOON);

        assertThat(second.status().changeStream().state()).isNotEqualTo(State.CLOSED);
        assertThat(waiting.get(SOON.toSeconds(), TimeUnit.SECONDS).isHeld()).isTrue();
        second.close();
    }

    /** A client takes a lock of its own instance for its own, of whose release it needs no event. */
    @Test
    void clientsOfOneBuilderHaveDifferentInstancesUnlessItIsNamed() {
        LockClientBuilder<Mono<ReactiveLockClient>> builder = ReactiveLockClient.builder(
                        connection.reactive(), ContractServer.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(new FindAndModifyCounterStrategy());
        Mono<ReactiveLockClient> build = builder.build();

        assertThat(instances(List.of(build, build, builder.build()))).doesNotHaveDuplicates();
        Mono<ReactiveLockClient> named = builder.instance("billing").build();
        assertThat(instances(List.of(named, named))).containsExactly("billing", "billing");
    }

    private List<String> instances(List<Mono<ReactiveLockClient>> builds) {
        return builds.stream().map(this::instance).toList();
    }

    private String instance(Mono<ReactiveLockClient> build) {
        try (ReactiveLockClient client = get(build)) {
            return get(client.tryAcquire(request)).lease().owner().instance();
        }
    }

    private static <T> T get(Mono<T> mono) {
        return mono.blockOptional(SOON).orElseThrow();
    }

    private static ReactiveLockClient build(DriverClients through) {
        Mono<ReactiveLockClient> client = ReactiveLockClient.builder(through.reactive(), ContractServer.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(new FindAndModifyCounterStrategy())
                .build();
        return get(client);
    }
}
