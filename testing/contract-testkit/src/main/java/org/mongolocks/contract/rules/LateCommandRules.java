package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.proxy.FaultRule;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.spi.LockStrategy.Trait;

/**
 * Rules LA, late commands: a command that the server executes after its caller has stopped waiting is compensated or
 * refused.
 */
public interface LateCommandRules extends ContractContext {
    /**
     * LA-1. An interrupt (or cancellation) while a command is in flight leaves nothing behind, whether the command is
     * executed before or later. On a standalone the ttl bounds a late grant.
     *
     * @param isLate whether the command reaches the server after the call has ended, or was executed before
     */
    @ParameterizedTest(name = "executed late: {0}")
    @ValueSource(booleans = {false, true})
    @ContractRule("LA-1")
    default void interruptDuringACommandLeavesNoLease(boolean isLate) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newHurried(true)) {
            acquire(faulty.locks(), freshName());
            FaultRule trap = faulty.trapNext(
                    granting(), isLate ? WireFault.holdRequest() : WireFault.holdReply(WireFault.none()));
            BackgroundTask<Optional<BlockingLock>> asking =
                    BackgroundTask.run(() -> faulty.locks().tryAcquire(name, ttl()));
            awaitUnderWay(trap, isLate);
            asking.interrupt();

            assertThatExceptionOfType(InterruptedException.class).isThrownBy(asking::result);
            if (!isLate) {
                assertThat(soonFree(name).release()).isTrue();
            }
            comesLate(trap);
            assertThat(freeAfter(isLate && !isKnown(true), name).isHeld()).isTrue();
        }
    }

    /**
     * LA-2. If a grant gets no reply within the command timeout and the reported outcome is "not held", the lock is not
     * held, even if the server executes the command later. If the outcome is indeterminate, with retryable writes or in
     * transactions the lock is released as soon as the server replies. After an election, and without retryable writes
     * or transactions, a late command can leave a lease without a holder for one ttl.
     *
     * @param retryWrites whether the driver retries writes
     */
    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("LA-2")
    default void abandonedCommandIsNotGrantedLater(boolean retryWrites) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newHurried(retryWrites)) {
            acquire(faulty.locks(), freshName());
            FaultRule trap = faulty.trapNext(granting(), WireFault.holdRequest());

            Settled settled = settled(faulty.locks(), name);
            if (settled != Settled.HELD) {
                faulty.locks().close();
            }
            comesLate(trap);

            if (settled == Settled.HELD) {
                assertThat(newLocks().tryAcquire(name, ttl())).isEmpty();
            } else {
                boolean stays = settled == Settled.UNKNOWN && !isKnown(retryWrites);
                assertThat(freeAfter(stays, name).isHeld()).isTrue();
            }
        }
    }

    /**
     * LA-3. If the first request of a retried grant arrives after the lock was released and acquired by another owner,
     * it changes nothing.
     *
     * @param retryWrites whether the driver retries writes
     */
    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("LA-3")
    default void aGrantThatComesLateChangesNothingForTheNextHolder(boolean retryWrites) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(retryWrites)) {
            FaultRule trap = faulty.trapNext(granting(), WireFault.delay());

            assertThat(acquire(faulty.locks(), name).release()).isTrue();

            assertUntouched(acquire(newLocks(), name), trap);
        }
    }

    /**
     * LA-4. A command that was sent more than once is one grant with one token, even if the first request arrives late.
     * Without retryable writes or transactions it may leave a lease without a holder for one ttl.
     *
     * @param retryWrites whether the driver retries writes
     */
    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("LA-4")
    default void aQuestionThatComesLateIsNoSecondGrant(boolean retryWrites) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(retryWrites)) {
            FaultRule whileHeld = faulty.trapNext(granting(), WireFault.delay());
            FaultRule afterwards = faulty.trapNext(granting(), WireFault.delay());
            BlockingLock held = acquire(faulty.locks(), name);

            comesLate(whileHeld);
            LockSnapshot seen = newLocks().inspect(name).orElseThrow();
            assertThat(seen.holder()).contains(held.lease().owner().stored());
            assertThat(seen.fencingToken()).isEqualTo(held.fencingToken());
            assertThat(held.release()).isTrue();
            comesLate(afterwards);
            assertThat(freeAfter(!isKnown(retryWrites), name).fencingToken()).isGreaterThan(held.fencingToken());
        }
    }

    /**
     * LA-5. A renewal that arrives after the lock was released and acquired by another owner changes nothing.
     *
     * @param retryWrites whether the driver retries writes
     */
    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("LA-5")
    default void aRenewalThatComesLateChangesNothing(boolean retryWrites) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(retryWrites)) {
            BlockingLock held = acquire(faulty.locks(), name);
            FaultRule trap = faulty.trapNext(WRITES, WireFault.delay());

            assertThat(held.renew()).isTrue();
            assertThat(held.release()).isTrue();

            assertUntouched(acquire(newLocks(), name), trap);
        }
    }

    /**
     * LA-6. A release that arrives after it was retried and another owner has acquired the lock changes nothing.
     *
     * @param retryWrites whether the driver retries writes
     */
    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("LA-6")
    default void aReleaseThatComesLateChangesNothing(boolean retryWrites) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(retryWrites)) {
            BlockingLock held = acquire(faulty.locks(), name);
            FaultRule trap = faulty.trapNext(WRITES, WireFault.delay());

            assertThat(held.release()).isTrue();

            assertUntouched(acquire(newLocks(), name), trap);
        }
    }

    /**
     * LA-7. A contended request that arrives a second time, after the release, acquires nothing. Without retryable
     * writes or transactions it may leave a lease without a holder for one ttl.
     *
     * @param retryWrites whether the driver retries writes
     */
    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("LA-7")
    default void contendedCommandIsNotGrantedWhenItExecutesLate(boolean retryWrites) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(retryWrites)) {
            BlockingLock held = acquire(newLocks(), name);
            FaultRule trap = faulty.trapNext(WRITES, WireFault.delay());

            assertThat(faulty.locks().tryAcquire(name, ttl())).isEmpty();
            assertThat(held.release()).isTrue();
            boolean isLate = !trap.requests().isEmpty();
            if (isLate) {
                comesLate(trap);
            }

            assertThat(freeAfter(isLate && !isKnown(retryWrites), name).isHeld())
                    .isTrue();
        }
    }

    private void assertUntouched(BlockingLock next, FaultRule trap) throws InterruptedException {
        LockSnapshot before = stored(next);

        comesLate(trap);

        assertThat(stored(next)).isEqualTo(before);
        assertThat(next.renew()).isTrue();
        assertThat(next.release()).isTrue();
    }

    /** Returns the stored lock, without the time that remains of its lease. */
    private LockSnapshot stored(BlockingLock lock) throws InterruptedException {
        LockSnapshot seen = newLocks().inspect(lock.lease().name()).orElseThrow();
        return LockSnapshot.of(seen.name(), seen.holder(), seen.fencingToken(), seen.revision())
                .lease(seen.ttl(), seen.acquiredAt(), seen.expiresAt());
    }

    /** The outcome that the caller gets. */
    enum Settled {
        /** The lock is held. */
        HELD,
        /** Nothing is held. */
        NOTHING,
        /** The outcome is indeterminate. */
        UNKNOWN
    }

    /** Acquires; a missing reply must not be reported as contention. */
    private Settled settled(BlockingLocks locks, LockName name) throws InterruptedException {
        try {
            assertThat(locks.tryAcquire(name, ttl())).isPresent();
            return Settled.HELD;
        } catch (IndeterminateOutcomeException e) {
            return Settled.UNKNOWN;
        } catch (LockException e) {
            assertThat(e).hasMessageContaining(name.value());
            return Settled.NOTHING;
        }
    }

    /**
     * In a session with numbered writes (retryable writes, transactions) the server refuses a number older than the
     * newest.
     */
    private boolean isKnown(boolean retryWrites) {
        return strategy().traits().contains(Trait.NEEDS_TRANSACTIONS) || (retryWrites && !server().isStandalone());
    }

    private static void awaitUnderWay(FaultRule trap, boolean isLate) throws InterruptedException {
        if (isLate) {
            trap.awaitCaught();
        } else {
            trap.awaitExecuted();
        }
    }

    private static void comesLate(FaultRule trap) throws InterruptedException {
        trap.release();
        trap.awaitExecuted();
    }

    private BlockingLock freeAfter(boolean ttlBoundsIt, LockName name) throws Exception {
        return ttlBoundsIt ? takeOver(newLocks(), name) : soonFree(name);
    }

    /**
     * Acquires within half a lease: a cancelled subscription is compensated in the background, long before the ttl
     * ends.
     */
    private BlockingLock soonFree(LockName name) throws InterruptedException {
        return newLocks()
                .tryAcquire(LockRequest.of(name, ttl()).fixedLease().waitAtMost(ttl().dividedBy(2)))
                .orElseThrow(() -> new AssertionError("Lock '" + name + "' could not be acquired within half a lease"));
    }
}
