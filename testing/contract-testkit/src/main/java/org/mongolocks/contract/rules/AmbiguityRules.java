package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.adapter.InjectedFault;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.FaultRule;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;

/**
 * Rules AM, ambiguous commands: a client finds out the outcome of a command whose reply is lost, or reports it as
 * indeterminate; no command takes effect twice.
 */
public interface AmbiguityRules extends ContractContext {
    /** The driver's retryWrites setting; each fault must be survived with both. */
    List<Boolean> WITH_AND_WITHOUT_RETRIES = List.of(true, false);

    /** More than the commands of one compensation, with its retries. */
    int MAX_OF_A_COMPENSATION = 8;

    /** The server reports that the outcome of the command is unknown; the driver does not take it for down. */
    int HOST_UNREACHABLE = 6;

    /**
     * AM-1. If any fault hits its command, one acquisition is still one grant: the lock is held with the token of the first
     * grant, the holder does not overestimate its lease, and a release ends it.
     */
    @ParameterizedTest
    @EnumSource(InjectedFault.class)
    @ContractRule("AM-1")
    default void grantIsConfirmedAfterAnyFault(InjectedFault injected) throws Exception {
        BlockingLocks others = newLocks();
        for (boolean retryWrites : WITH_AND_WITHOUT_RETRIES) {
            LockName name = freshName();
            try (FaultyLocks faulty = newFaulty(retryWrites)) {
                FaultRule trap = faulty.trapNext(granting(), injected.fault());
                BackgroundTask<BlockingLock> asking = BackgroundTask.run(() -> acquire(faulty.locks(), name));
                OptionalLong first = tokenSeenDuring(injected, trap, name, others);
                BlockingLock held = asking.result();

                assertHeldOnce(held, others);
                first.ifPresent(token -> assertThat(held.fencingToken()).isEqualTo(token));
                assertThat(held.release()).isTrue();
                assertThat(acquire(others, name).fencingToken()).isGreaterThan(held.fencingToken());
            }
        }
    }

    /** AM-2. If any fault hits a renewal, the lease is renewed and keeps its token. */
    @ParameterizedTest
    @EnumSource(InjectedFault.class)
    @ContractRule("AM-2")
    default void renewalIsConfirmedAfterAnyFault(InjectedFault injected) throws Exception {
        BlockingLocks others = newLocks();
        for (boolean retryWrites : WITH_AND_WITHOUT_RETRIES) {
            try (FaultyLocks faulty = newFaulty(retryWrites)) {
                BlockingLock held = acquire(faulty.locks(), freshName());
                long token = held.fencingToken();
                long end = held.lease().validUntilNanos();

                FaultRule trap = faulty.trapNext(WRITES, injected.fault());
                BackgroundTask<Boolean> renewing = BackgroundTask.run(held::renew);
                releaseWhenExecuted(injected, trap);

                assertThat(renewing.result()).isTrue();
                assertThat(held.fencingToken()).isEqualTo(token);
                assertThat(held.lease().validUntilNanos() - end).isPositive();
                assertHeldOnce(held, others);
            }
        }
    }

    /** AM-3. If any fault hits a release, the lock is released, and the holder gets no loss event. */
    @ParameterizedTest
    @EnumSource(InjectedFault.class)
    @ContractRule("AM-3")
    default void releaseIsConfirmedAfterAnyFault(InjectedFault injected) throws Exception {
        BlockingLocks others = newLocks();
        for (boolean retryWrites : WITH_AND_WITHOUT_RETRIES) {
            LockName name = freshName();
            try (FaultyLocks faulty = newFaulty(retryWrites)) {
                BlockingLock held = acquire(faulty.locks(), name);

                FaultRule trap = faulty.trapNext(WRITES, injected.fault());
                BackgroundTask<Boolean> releasing = BackgroundTask.run(held::release);
                releaseWhenExecuted(injected, trap);

                assertThat(releasing.result()).isTrue();
                assertThat(held.loss()).isEmpty();
                assertThat(acquire(others, name).fencingToken()).isGreaterThan(held.fencingToken());
            }
        }
    }

    /**
     * AM-4. If neither a grant nor its compensation gets a reply, acquiring fails with an indeterminate outcome; the
     * lock may be held until its ttl has passed.
     */
    @Test
    @ContractRule("AM-4")
    default void unconfirmedGrantIsIndeterminate() throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newHurried(false)) {
            FaultRule grant =
                    faulty.proxy().arm(CommandMatcher.atAll(granting()), WireFault.holdReply(WireFault.loseReply()));
            BackgroundTask<?> asking = BackgroundTask.run(() -> faulty.locks().tryAcquire(name, ttl()));
            grant.awaitExecuted();
            faulty.proxy().arm(CommandMatcher.atAll(ALL), WireFault.loseReply());
            grant.release();

            assertThatExceptionOfType(IndeterminateOutcomeException.class)
                    .isThrownBy(asking::result)
                    .withMessageContaining(name.value())
                    .matches(e -> e.owner().isPresent());
        }
        assertThat(takeOver(newLocks(), name).isHeld()).isTrue();
    }

    /**
     * AM-5. An interrupt (or cancellation) during a renewal is no loss: the old end of the lease remains valid, and the
     * next renewal succeeds.
     */
    @Test
    @ContractRule("AM-5")
    default void interruptDuringARenewalIsNoLoss() throws Exception {
        try (FaultyLocks faulty = newHurried(true)) {
            BlockingLock held = acquire(faulty.locks(), freshName());
            long end = held.lease().validUntilNanos();
            FaultRule trap = faulty.trapNext(WRITES, WireFault.holdReply(WireFault.none()));
            BackgroundTask<Boolean> renewing = BackgroundTask.run(held::renew);
            trap.awaitExecuted();

            renewing.interrupt();

            assertThatExceptionOfType(InterruptedException.class).isThrownBy(renewing::result);
            assertThat(held.isHeld()).isTrue();
            assertThat(held.lease().validUntilNanos()).isEqualTo(end);
            trap.release();
            assertThat(held.renew()).isTrue();
            assertHeldOnce(held, newLocks());
        }
    }

    /** AM-6. A release runs to completion even if its caller is interrupted (or cancels) meanwhile. */
    @Test
    @ContractRule("AM-6")
    default void aReleaseIsNotInterrupted() throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(true)) {
            BlockingLock held = acquire(faulty.locks(), name);
            FaultRule trap = faulty.trapNext(WRITES, WireFault.loseRequest());
            FaultRule again = faulty.trapNext(WRITES, WireFault.holdRequest());
            BackgroundTask<Boolean> releasing = BackgroundTask.run(held::release);
            trap.awaitCaught();
            again.awaitCaught();

            releasing.interrupt();
            again.release();
            releasing.awaitEnd();

            BlockingLocks others = newLocks();
            Eventually.isTrue(
                    "the lock can be acquired",
                    () -> others.tryAcquire(name, ttl()).isPresent());
            assertThat(held.loss()).isEmpty();
        }
    }

    /**
     * AM-7. If the driver's pool has no connection left, acquiring fails, and nothing is held, then or later. With
     * retryable writes or in a transaction the outcome is "not held"; otherwise it is indeterminate.
     */
    @Test
    @ContractRule("AM-7")
    default void exhaustedPoolGrantsNothing() throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newHurried(true)) {
            acquire(faulty.locks(), freshName());
            FaultRule busy = faulty.useUpConnections();

            assertNotGranted(faulty, name);

            busy.release();
            assertThat(newLocks().tryAcquire(name, ttl())).isPresent();
            assertThat(faulty.locks().tryAcquire(freshName(), ttl())).isPresent();
        }
    }

    /**
     * AM-8. While the server is unreachable no lock is granted, and a held lock stays held until its lease ends;
     * clients continue when it is reachable again.
     */
    @Test
    @ContractRule("AM-8")
    default void unreachableServerGrantsNothingAndLosesNothing() throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newHurried(true)) {
            BlockingLock held = acquire(faulty.locks(), freshName());
            faulty.proxy().refuse();

            assertThatExceptionOfType(LockException.class).isThrownBy(held::release);
            assertNotGranted(faulty, name);

            faulty.heal();
            assertThat(newLocks().tryAcquire(name, ttl())).isPresent();
            assertThat(held.loss()).isEmpty();
            assertThat(held.release()).isTrue();
        }
    }

    /**
     * AM-9. If neither a grant nor its compensation gets a reply, the lock is released as soon as the server replies again:
     * its lease need not end, although the call ended long ago.
     */
    @Test
    @ContractRule("AM-9")
    default void unconfirmedGrantIsReleasedWhenTheServerRepliesAgain() throws Exception {
        LockName name = freshName();
        Duration longLease = ttl().multipliedBy(4);
        BlockingLocks others = newLocks();
        try (FaultyLocks faulty = newHurried(false)) {
            FaultRule grant = faulty.trapNext(granting(), WireFault.holdReply(WireFault.loseReply()));
            BackgroundTask<?> asking = BackgroundTask.run(() -> faulty.locks().tryAcquire(name, longLease));
            grant.awaitExecuted();
            FaultRule refused = faulty.proxy().arm(CommandMatcher.atAll(ALL), WireFault.refuse(HOST_UNREACHABLE));
            grant.release();
            assertThatExceptionOfType(IndeterminateOutcomeException.class).isThrownBy(asking::result);
            int before = refused.requests().size();
            Eventually.isTrueWhile(
                    "it is repeated",
                    () -> refused.requests().size() > before + MAX_OF_A_COMPENSATION,
                    () -> server().elapse(ttl().dividedBy(100)));
            assertThat(others.tryAcquire(name, ttl())).isEmpty();

            faulty.heal();

            assertThat(acquiresSoon(others, name)).isTrue();
        }
    }

    /** Tries to acquire a lock for less than half of its lease. */
    private boolean acquiresSoon(BlockingLocks locks, LockName name) throws InterruptedException {
        for (int step = 0; step < 20; step++) {
            if (locks.tryAcquire(name, ttl()).isPresent()) {
                return true;
            }
            server().elapse(ttl().dividedBy(50));
        }
        return false;
    }

    private void assertNotGranted(FaultyLocks faulty, LockName name) {
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> faulty.locks().tryAcquire(name, ttl()))
                .withMessageContaining(name.value())
                .satisfies(e -> assertThat(!server().isStandalone() && e instanceof IndeterminateOutcomeException)
                        .as("reported as indeterminate although the outcome is known")
                        .isFalse());
    }

    private static void assertHeldOnce(BlockingLock held, BlockingLocks others) throws InterruptedException {
        LockName name = held.lease().name();
        LockSnapshot seen = others.inspect(name).orElseThrow();
        assertThat(seen.holder()).contains(held.lease().owner().stored());
        assertThat(seen.fencingToken()).isEqualTo(held.fencingToken());
        seen.remaining().ifPresent(left -> assertThat(held.remaining()).isLessThanOrEqualTo(left));
        assertThat(held.isHeld()).isTrue();
        assertThat(others.tryAcquire(name, held.lease().ttl())).isEmpty();
    }

    /** Returns the token that the server has stored before the client learns of the fault. */
    private static OptionalLong tokenSeenDuring(
            InjectedFault injected, FaultRule trap, LockName name, BlockingLocks others) throws InterruptedException {
        if (!injected.isSeen()) {
            return OptionalLong.empty();
        }
        trap.awaitExecuted();
        long token = others.inspect(name).orElseThrow().fencingToken();
        trap.release();
        return OptionalLong.of(token);
    }

    private static void releaseWhenExecuted(InjectedFault injected, FaultRule trap) throws InterruptedException {
        if (injected.isSeen()) {
            trap.awaitExecuted();
            trap.release();
        }
    }
}
