package org.mongolocks.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.FaultRule;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.ServerFinder;

/** Tests of several locks. */
@ExtendWith(DroppedDatabase.class)
class SeveralLocksTest {
    private static final Duration TTL = Duration.ofSeconds(30);

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final String prefix = UUID.randomUUID().toString();
    private final String from = prefix + "-1";
    private final String to = prefix + "-2";
    private final MultiLockRequest request =
            MultiLockRequest.of(List.of(to, from), TTL).fixedLease();
    private final LockClient locks = PlainClient.on(connection);

    @AfterEach
    void close() {
        Thread.interrupted();
        locks.close();
    }

    @Test
    void theWorkIsDoneUnderAllLocksWhichAreReleased() throws InterruptedException {
        boolean done = locks.tryWithLocks(request, held -> {
            assertThat(held.isHeld()).isTrue();
            assertThat(held.all()).containsExactly(held.get(from), held.get(to));
            assertThat(held.remaining()).isBetween(TTL.multipliedBy(2).dividedBy(3), TTL);
        });

        assertThat(done).isTrue();
        assertFree();
    }

    @Test
    void nothingIsDoneWhileAnotherHoldsOneOfThem() throws InterruptedException {
        locks.tryAcquire(LockRequest.of(to, TTL).fixedLease());
        AtomicInteger runs = new AtomicInteger();

        assertThat(locks.tryWithLocks(request, held -> runs.incrementAndGet())).isFalse();
        assertThatExceptionOfType(LockContendedException.class)
                .isThrownBy(() -> locks.withLocks(request, held -> runs.incrementAndGet()))
                .satisfies(thrown -> assertThat(thrown.holder()).isPresent());
        assertThatExceptionOfType(LockContendedException.class).isThrownBy(() -> locks.acquireAll(request));

        assertThat(runs).hasValue(0);
        assertThat(locks.tryAcquire(LockRequest.of(from, TTL).fixedLease())).isPresent();
    }

    @Test
    void theLossOfAnyLockInterruptsTheWorkThatAskedForIt() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> locks.tryWithLocks(request, held -> {
                    BackgroundTask.run(() -> {
                        locks.forceRelease(locks.inspect(LockName.of(to)).orElseThrow());
                        return held.get(to).renew();
                    });
                    new CountDownLatch(1).await(20, TimeUnit.SECONDS);
                }))
                .withCauseInstanceOf(InterruptedException.class)
                .withMessageContaining(to);
        assertThat(Thread.interrupted()).as("the interrupt stays").isTrue();
    }

    /** The second lock is lost while the first one, whose loss may not interrupt the work, is being released. */
    @Test
    void aLossThatFollowsTheWorkLeavesNoInterrupt() throws Exception {
        try (ProxyRoute detour = ProxyRoute.to(ServerFinder.found().uri(), UnaryOperator.identity());
                LockClient behind = PlainClient.on(detour.connection())) {
            List<BackgroundTask<Boolean>> losses = new CopyOnWriteArrayList<>();
            FaultRule secondUpdate =
                    detour.proxy().arm(new CommandMatcher(Set.of("update"), 1, 1), WireFault.holdRequest());
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> behind.tryWithLocks(request, held -> {
                        assertThat(held.get(from).endInterruptOnLoss()).isFalse();
                        losses.add(BackgroundTask.run(() -> {
                            loses(held.get(from));
                            secondUpdate.awaitCaught();
                            loses(held.get(to));
                            secondUpdate.release();
                            return true;
                        }));
                        Eventually.isTrue(
                                "the first lock is lost", () -> !held.get(from).isHeld());
                    }))
                    .withMessageContaining(from);
            assertThat(losses.get(0).result()).isTrue();
            assertThat(Thread.interrupted()).as("an interrupt is left").isFalse();
        }
    }

    private void loses(HeldLock lock) throws InterruptedException {
        locks.forceRelease(locks.inspect(lock.lease().name()).orElseThrow());
        assertThat(lock.renew()).isFalse();
    }

    @Test
    void aLockThatIsNotAmongThemIsNamed() throws InterruptedException {
        HeldLocks held = locks.tryAcquireAll(request).orElseThrow();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> held.get("another"))
                .withMessageContaining("No lock 'another' among [" + from + ", " + to + "]");
    }

    @Test
    void closingThemTwiceIsHarmless() throws InterruptedException {
        HeldLocks held = locks.tryAcquireAll(request).orElseThrow();

        held.close();
        held.close();

        assertThat(held.release()).isFalse();
        assertFree();
    }

    private void assertFree() throws InterruptedException {
        for (String name : List.of(from, to)) {
            assertThat(locks.tryAcquire(LockRequest.of(name, TTL).fixedLease())).isPresent();
        }
    }
}
