package org.mongolocks.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import reactor.core.publisher.Mono;

/** Tests that the calls that users write first compile, infer their types, and do what they say. */
@ExtendWith(DroppedDatabase.class)
class WantedCallsTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofSeconds(20);

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final String name = "wanted-" + UUID.randomUUID();
    private final LockRequest request = LockRequest.of(name, TTL).fixedLease();
    private LockClient locks;
    private ReactiveLockClient reactive;

    /** The result of the guarded work. */
    private record Receipt(long token) {}

    @BeforeEach
    void build() throws InterruptedException {
        locks = LockClient.builder(connection.sync(), ContractServer.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(new FindAndModifyCounterStrategy())
                .build();
        reactive = ReactiveLockClient.builder(connection.reactive(), ContractServer.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(new FindAndModifyCounterStrategy())
                .build()
                .blockOptional(SOON)
                .orElseThrow();
    }

    @AfterEach
    void close() {
        locks.close();
        reactive.close();
    }

    @Test
    void workReturnsItsResult() throws InterruptedException {
        Receipt byName = locks.tryCallWithLock(name, lock -> bill(lock)).orElseThrow();
        Receipt insisting = locks.callWithLock(name, lock -> bill(lock));
        Receipt byRequest = locks.callWithLock(request, lock -> bill(lock));
        Mono<Receipt> later = reactive.tryCallWithLock(request, lock -> bill(lock));

        Receipt third = later.blockOptional(SOON).orElseThrow();
        Receipt fourth = reactive.callWithLock(name, lock -> bill(lock))
                .blockOptional(SOON)
                .orElseThrow();
        assertThat(List.of(byName.token(), insisting.token(), byRequest.token(), third.token(), fourth.token()))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void aContendedCallHasNoResult() throws InterruptedException {
        try (HeldLock other = locks.acquire(name)) {
            assertThat(other.isHeld()).isTrue();
            assertThat(locks.tryCallWithLock(request, lock -> bill(lock))).isEmpty();
            assertThat(locks.tryWithLock(name, lock -> {})).isFalse();
            assertThat(reactive.tryCallWithLock(name, lock -> bill(lock)).blockOptional(SOON))
                    .isEmpty();
        }
    }

    @Test
    void aContendedCallThatInsistsNamesTheHolder() throws InterruptedException {
        String pid = String.valueOf(ProcessHandle.current().pid());
        try (HeldLock other = locks.acquire(name)) {
            assertThat(other.isHeld()).isTrue();
            assertThatExceptionOfType(LockContendedException.class)
                    .isThrownBy(() ->
                            reactive.callWithLock(request, lock -> bill(lock)).block(SOON))
                    .withMessageMatching("Lock '" + name + "' is held by .*\\(pid " + pid
                            + ", thread .*\\); its lease ends in \\d+\\.\\d s unless it is renewed; waitAtMost was 0s")
                    .satisfies(contended -> assertThat(secondsLeft(contended)).isBetween(0.1, 30.0))
                    .satisfies(contended -> assertThat(contended.isTransient()).isTrue());
            assertThatExceptionOfType(LockContendedException.class)
                    .isThrownBy(() -> reactive.acquire(name).block(SOON));
        }
    }

    @Test
    void aThreadThatHoldsTheLockByAHandleIsNamed() throws Exception {
        try (HeldLock own = locks.acquire(name)) {
            assertThat(own.isHeld()).isTrue();
            assertThatExceptionOfType(LockContendedException.class)
                    .isThrownBy(() -> locks.acquire(request))
                    .withMessageContaining("held by this very thread")
                    .withMessageContaining("reentrant(owner)");
            BackgroundTask<HeldLock> elsewhere = BackgroundTask.run(() -> locks.acquire(request));
            assertThatExceptionOfType(LockContendedException.class)
                    .isThrownBy(elsewhere::result)
                    .withMessageNotContaining("this very thread");
        }
    }

    @Test
    void aClientIsCreatedWithoutAnyChoice() throws InterruptedException {
        AtomicLong token = new AtomicLong();

        try (LockClient created = LockClient.create(connection.sync(), ContractServer.DATABASE)) {
            created.withLock(name, lock -> token.set(lock.fencingToken()));
            assertThat(created.strategyName()).isEqualTo("findandmodify-counter");
        }
        Mono<Long> later = Mono.usingWhen(
                ReactiveLockClient.create(connection.reactive(), ContractServer.DATABASE),
                created -> created.callWithLock(name, lock -> Mono.just(lock.fencingToken())),
                ReactiveLockClient::closeLater);

        assertThat(token).hasValueGreaterThan(0);
        assertThat(later.block(SOON)).isGreaterThan(token.get());
    }

    @Test
    void aNameWaitsAsLongAsTheBuilderSays() throws InterruptedException {
        Duration wait = Duration.ofMillis(50);
        LockClient waiting = LockClient.builder(connection.sync(), ContractServer.DATABASE)
                .strategy(new FindAndModifyCounterStrategy())
                .drainTimeout(Duration.ZERO)
                .defaultTtl(TTL)
                .defaultWait(wait)
                .build();

        assertThat(waiting.request(name)).isEqualTo(LockRequest.of(name, TTL).waitAtMost(wait));
        assertThat(waiting.tryAcquire(name)).isPresent();
        assertThat(waiting.tryAcquire(name)).isEmpty();
        waiting.close();
    }

    @Test
    void workThatHasReleasedItsLockMayRequestItAgain() throws InterruptedException {
        boolean done = locks.tryWithLock(request, lock -> {
            lock.release();
            assertThat(locks.tryWithLock(request, again -> {})).isTrue();
        });

        assertThat(done).isTrue();
    }

    @Test
    void reentrantWorkOfOneOwnerIsContendedForAnother() throws InterruptedException {
        boolean done = locks.reentrant("one").tryWithLock(request, lock -> {
            assertThat(locks.reentrant("one").tryAcquire(request)).isPresent();
            assertThat(locks.reentrant("another").tryAcquire(request)).isEmpty();
        });

        assertThat(done).isTrue();
    }

    @Test
    void reactiveWorkThatRequestsItsOwnLockFails() {
        LockRequest waiting = request.waitAtMost(Duration.ofMinutes(5));

        Mono<Boolean> nested = reactive.tryWithLock(
                request, lock -> Mono.just(1).flatMap(one -> reactive.tryWithLock(waiting, Mono::just)));

        assertThatIllegalStateException()
                .isThrownBy(() -> nested.block(SOON))
                .withMessageContaining("held by this very work");
        assertThat(reactive.tryAcquire(name).blockOptional(SOON)).isPresent();
    }

    @Test
    void theLossOfANestedLockNamesIt() {
        String inner = name + "-inner";

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> locks.tryWithLock(
                        request,
                        outer -> locks.withLock(inner, lock -> {
                            force(inner);
                            lock.renew();
                        })))
                .satisfies(lost -> assertThat(lost.lockName()).contains(LockName.of(inner)));
    }

    @Test
    void workThatFailsAfterALossCarriesTheLoss() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> locks.tryWithLock(request, lock -> {
                    force(name);
                    lock.renew();
                    throw new IOException("the work failed");
                }))
                .satisfies(WantedCallsTest::carriesTheLoss);
    }

    @Test
    void reactiveWorkThatFailsAfterALossCarriesTheLossOrIsTheLoss() {
        Mono<Boolean> work = reactive.tryWithLock(
                request,
                lock -> reactive.inspect(name)
                        .flatMap(reactive::forceRelease)
                        .then(lock.renew())
                        .then(Mono.error(() -> new IOException("the work failed"))));

        assertThatExceptionOfType(Exception.class)
                .isThrownBy(() -> work.block(SOON))
                .satisfies(thrown -> {
                    if (!(thrown instanceof LockLostException)) {
                        carriesTheLoss(thrown.getCause() instanceof IOException cause ? cause : thrown);
                    }
                });
    }

    @Test
    void nullArgumentIsNamedBeforeAnythingIsAcquired() {
        assertThatNullPointerException()
                .isThrownBy(() -> locks.tryAcquire((LockRequest) null))
                .withMessage("The request is null");
        assertThatNullPointerException()
                .isThrownBy(() -> locks.tryWithLock(request, null))
                .withMessage("The action is null");
        assertThatNullPointerException()
                .isThrownBy(() -> locks.callWithLock(request, null))
                .withMessage("The work is null");
        assertThatNullPointerException()
                .isThrownBy(() -> locks.tryWithLock((String) null, lock -> {}))
                .withMessage("The name of the lock is null");
        assertThatNullPointerException()
                .isThrownBy(() -> reactive.tryCallWithLock(request, null))
                .withMessage("The work is null");
        assertThat(reactive.tryAcquire(request).blockOptional(SOON)).isPresent();
    }

    private void force(String lock) throws InterruptedException {
        assertThat(locks.forceRelease(locks.inspect(lock).orElseThrow())).isTrue();
    }

    private static void carriesTheLoss(Throwable thrown) {
        assertThat(thrown.getSuppressed())
                .filteredOn(LockLostException.class::isInstance)
                .hasSize(1);
    }

    private static double secondsLeft(LockContendedException contended) {
        return Double.parseDouble(contended.getMessage().replaceAll(".* ends in (.*) s unless.*", "$1"));
    }

    private static Receipt bill(HeldLock lock) {
        return new Receipt(lock.fencingToken());
    }

    private static Mono<Receipt> bill(ReactiveHeldLock lock) {
        return Mono.fromSupplier(() -> new Receipt(lock.fencingToken()));
    }
}
