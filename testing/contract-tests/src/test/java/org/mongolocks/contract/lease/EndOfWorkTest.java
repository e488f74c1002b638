package org.mongolocks.contract.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.rules.ContractContext;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.server.Warnings;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import reactor.core.publisher.Mono;

/** Tests of how guarded work ends if its lock cannot be released, or was released already. */
@ExtendWith(DroppedDatabase.class)
class EndOfWorkTest {
    private static final List<String> WRITE = List.of("findAndModify", "update");
    private static final int REFUSED = 13;
    private static final int ALWAYS = 100_000;
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofSeconds(20);
    /** Longer than a test may take. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private final ContractServer server = ServerFinder.found();
    private final String appName = "work-" + UUID.randomUUID();
    private final ProxyRoute detour = ProxyRoute.to(server.uri(), true);
    private final DriverClients connection = detour.connection();
    private final LockRequest request = LockRequest.of(appName, TTL).fixedLease();
    private final FindAndModifyCounterStrategy strategy = new FindAndModifyCounterStrategy();
    private FaultyLocks faulty;
    private LockClient locks;
    private ReactiveLockClient reactive;

    @BeforeEach
    void build() throws InterruptedException {
        faulty = new FaultyLocks(
                Driver.SYNC.build(connection, LockContract.DATABASE, builder -> builder.strategy(strategy)), detour);
        locks = syncOn(connection);
        reactive = reactiveOn(connection);
    }

    @AfterEach
    void close() {
        faulty.close();
    }

    @Test
    void workThatReleasesTheLockItselfIsNoLoss() throws InterruptedException {
        assertThat(locks.tryWithLock(request, HeldLock::release)).isTrue();
        assertThat(reactive.tryWithLock(request, ReactiveHeldLock::release).block(SOON))
                .isTrue();
    }

    @Test
    void workThatWasDoneInTimeHasSucceededThoughTheLockCannotBeReleased() throws InterruptedException {
        assertThat(locks.tryWithLock(request, lock -> refuseWrites())).isTrue();

        free();
        assertThat(reactive.tryWithLock(request, lock -> Mono.fromRunnable(this::refuseWrites))
                        .block(SOON))
                .isTrue();
    }

    @Test
    void failedReleaseOfALostLockThrowsNothing() throws InterruptedException {
        HeldLock lock = locks.tryAcquire(request).orElseThrow();
        free();
        assertThat(lock.renew()).isFalse();
        ReactiveHeldLock other =
                reactive.tryAcquire(request).blockOptional(SOON).orElseThrow();
        free();
        assertThat(other.renew().block(SOON)).isFalse();

        refuseWrites();

        assertThat(lock.release()).isFalse();
        assertThat(other.release().block(SOON)).isFalse();
    }

    @Test
    void aLossIsLoggedOnce() throws Exception {
        try (Warnings warnings = Warnings.collect()) {
            HeldLock lock = locks.tryAcquire(request).orElseThrow();
            free();

            assertThat(lock.renew()).isFalse();
            lock.close();

            assertThat(warnings.about(appName).stream().filter(text -> !text.contains("by force")))
                    .singleElement()
                    .satisfies(text -> assertThat(text).contains("was lost (FORCED): its ttl was "));
        }
    }

    @Test
    void aMissingRightIsNamed() {
        refuseWrites();

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> locks.tryAcquire(request))
                .withMessageContaining("lacks a right")
                .withMessageContaining("'locks.findandmodify-counter'")
                .satisfies(refused -> assertThat(refused.isTransient()).isFalse())
                .satisfies(refused -> assertThat(refused.lockName()).contains(request.name()));
    }

    @Test
    void aRenewalIsAnsweredByTheEndOfTheLease() throws InterruptedException {
        Duration ttl = Duration.ofMillis(800);
        HeldLock lock = LockClient.builder(connection.sync(), LockContract.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(strategy)
                .commandTimeout(LONG)
                .build()
                .tryAcquire(LockRequest.of(appName, ttl).fixedLease())
                .orElseThrow();
        ReactiveHeldLock other = ReactiveLockClient.builder(connection.reactive(), LockContract.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(strategy)
                .commandTimeout(LONG)
                .build()
                .flatMap(client -> client.tryAcquire(
                        LockRequest.of(appName + "-other", ttl).fixedLease()))
                .blockOptional(SOON)
                .orElseThrow();
        faulty.stall(ContractContext.ALL);

        isNotRenewed(lock::renew);
        isNotRenewed(() -> other.renew().block(SOON));
    }

    private static void isNotRenewed(Callable<Boolean> renewal) {
        try {
            assertThat(renewal.call()).isFalse();
        } catch (Exception e) {
            assertThat(e).isInstanceOf(LockException.class);
        }
    }

    @Test
    void closingALockAfterItsDriverIsLogged() throws InterruptedException {
        DriverClients closing =
                DriverClients.of(DriverClients.settings(server.uri()).build());
        HeldLock lock = syncOn(closing).tryAcquire(request).orElseThrow();
        ReactiveHeldLock other = reactiveOn(closing)
                .tryAcquire(LockRequest.of(appName + "-other", TTL).fixedLease())
                .blockOptional(SOON)
                .orElseThrow();
        closing.close();

        lock.close();
        other.close().block(SOON);

        assertThat(lock.isHeld()).isFalse();
        assertThat(other.isHeld()).isFalse();
    }

    private LockClient syncOn(DriverClients through) throws InterruptedException {
        return LockClient.builder(through.sync(), LockContract.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(strategy)
                .build();
    }

    private ReactiveLockClient reactiveOn(DriverClients through) {
        return ReactiveLockClient.builder(through.reactive(), LockContract.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(strategy)
                .build()
                .blockOptional(SOON)
                .orElseThrow();
    }

    private void refuseWrites() {
        faulty.refuse(ALWAYS, REFUSED, WRITE);
    }

    private void free() throws InterruptedException {
        faulty.heal();
        assertThat(locks.forceRelease(locks.inspect(request.name()).orElseThrow()))
                .isTrue();
    }
}
