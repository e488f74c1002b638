package org.mongolocks.contract.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mongolocks.LockLostException;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.Shipped;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import reactor.core.publisher.Mono;

/** Tests of a handle of a reentrant lock that was released while another one is left: it holds nothing. */
@ExtendWith(DroppedDatabase.class)
class ReleasedEntryTest {
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Duration SOON = Duration.ofSeconds(30);

    private final ContractServer server = ServerFinder.found();
    private final DriverClients connection = DriverClients.shared(server.uri());
    private final LockRequest request =
            LockRequest.of("entry-" + UUID.randomUUID(), TTL).fixedLease();
    private final AtomicBoolean worked = new AtomicBoolean();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private LockClient locks;
    private ReactiveLockClient reactive;

    @BeforeEach
    void build() throws InterruptedException {
        locks = LockClient.builder(connection.sync(), LockContract.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(new FindAndModifyCounterStrategy())
                .build();
        reactive = ReactiveLockClient.builder(connection.reactive(), LockContract.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(new FindAndModifyCounterStrategy())
                .build()
                .blockOptional(SOON)
                .orElseThrow();
    }

    @AfterEach
    void close() {
        Thread.interrupted();
        locks.close();
        reactive.close();
    }

    @Test
    @Tag("finds:reentrant-handle-released")
    void itGuardsNoTransaction() throws InterruptedException {
        HeldLock outer = entered();
        HeldLock inner = entered();
        assertThat(inner.release()).isTrue();
        ReactiveHeldLock otherOuter = enteredReactively();
        ReactiveHeldLock otherInner = enteredReactively();
        assertThat(otherInner.release().block(SOON)).isTrue();

        assertThatIllegalStateException()
                .isThrownBy(() -> inner.inTransaction(session -> worked.getAndSet(true)))
                .withMessageContaining("was released");
        assertThatIllegalStateException()
                .isThrownBy(() -> otherInner
                        .inTransaction(session -> Mono.fromSupplier(() -> worked.getAndSet(true)))
                        .block(SOON))
                .withMessageContaining("was released");

        assertThat(worked).isFalse();
        assertThat(outer.isHeld()).isTrue();
        assertThat(otherOuter.isHeld()).isTrue();
    }

    @Test
    void aTransactionWhoseWorkReleasesItIsNotCommitted() throws InterruptedException {
        Shipped.supported("transactional");
        HeldLock outer = entered();
        HeldLock inner = entered();

        assertThatIllegalStateException()
                .isThrownBy(() -> inner.inTransaction(session -> inner.release()))
                .withMessageContaining("was released");

        assertThat(outer.isHeld()).isTrue();
        ReactiveHeldLock otherOuter = enteredReactively();
        ReactiveHeldLock otherInner = enteredReactively();
        assertThatIllegalStateException()
                .isThrownBy(() -> otherInner
                        .inTransaction(session -> otherInner.release())
                        .block(SOON))
                .withMessageContaining("was released");
        assertThat(otherOuter.isHeld()).isTrue();
    }

    @Test
    @Tag("finds:reentrant-handle-released")
    void itHoldsTheLockNoLonger() throws InterruptedException {
        HeldLock outer = entered();
        HeldLock inner = entered();
        inner.release();
        ReactiveHeldLock otherOuter = enteredReactively();
        ReactiveHeldLock otherInner = enteredReactively();
        otherInner.release().block(SOON);

        assertThatIllegalStateException().isThrownBy(() -> inner.holdAtLeast(TTL));
        assertThatIllegalStateException().isThrownBy(() -> otherInner.holdAtLeast(TTL));
        assertThat(inner.renew()).isFalse();
        assertThat(otherInner.renew().block(SOON)).isFalse();
        assertThat(inner.remaining()).isZero();
        assertThat(inner.release()).isFalse();
        outer.release();
        otherOuter.release().block(SOON);

        assertThatIllegalStateException().isThrownBy(() -> outer.holdAtLeast(TTL));
        assertThatIllegalStateException().isThrownBy(() -> otherOuter.holdAtLeast(TTL));
        assertThat(locks.tryAcquire(request)).isPresent();
        assertThat(reactive.tryAcquire(other()).block(SOON)).isNotNull();
    }

    @Test
    void aLossThatFollowsDoesNotConcernIt() throws Exception {
        HeldLock outer = entered();
        HeldLock inner = entered();
        inner.onLost((lease, reason) -> calls.add("inner"));
        inner.interruptOnLoss();
        outer.onLost((lease, reason) -> calls.add("outer"));
        inner.release();
        inner.onLost((lease, reason) -> calls.add("inner, later"));
        inner.onEndangered(TTL.minusMillis(1), (lease, left) -> calls.add("inner, endangered"));

        lose();
        assertThat(outer.renew()).isFalse();

        Eventually.isTrue("the listener is called", () -> calls.contains("outer"));
        assertThat(calls).containsExactly("outer");
        assertThat(inner.loss()).isEmpty();
        assertThat(outer.loss()).contains(LossReason.FORCED);
    }

    @Test
    void aLossBeforeItsReleaseStaysReported() throws InterruptedException {
        HeldLock outer = entered();
        HeldLock inner = entered();
        lose();
        assertThat(outer.renew()).isFalse();

        assertThat(inner.release()).isFalse();

        assertThat(inner.loss()).contains(LossReason.FORCED);
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> outer.inTransaction(session -> worked.getAndSet(true)));
    }

    @Test
    @Tag("finds:reentrant-null-result")
    void aNullResultOfItsWorkIsNamedAndTheLockReleased() throws InterruptedException {
        assertThatNullPointerException()
                .isThrownBy(() -> locks.reentrant("owner").tryCallWithLock(request, lock -> null))
                .withMessage("The result of the work is null");
        assertThatNullPointerException()
                .isThrownBy(() -> locks.tryCallWithLock(request, lock -> null))
                .withMessage("The result of the work is null");

        assertThat(locks.tryAcquire(request)).isPresent();
    }

    private void lose() throws InterruptedException {
        assertThat(locks.forceRelease(locks.inspect(request.name()).orElseThrow()))
                .isTrue();
    }

    private HeldLock entered() throws InterruptedException {
        return locks.reentrant("owner").tryAcquire(request).orElseThrow();
    }

    private ReactiveHeldLock enteredReactively() {
        return reactive.reentrant("owner")
                .tryAcquire(other())
                .blockOptional(SOON)
                .orElseThrow();
    }

    private LockRequest other() {
        return LockRequest.of(request.name() + "-reactive", TTL).fixedLease();
    }
}
