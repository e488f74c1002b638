package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.proxy.Trap;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.spi.Trait;

/** LA: what the server does late, when nobody waits for it any more, is taken back or refused. */
public interface LateRules extends FaultSetting {
    /**
     * LA-1. Whoever is interrupted (or cancels) while a command is under way leaves nothing behind, whether it was
     * executed by then or is executed late: the grant is taken back, or refused because the session has gone on. A
     * standalone has no such sessions; there the ttl bounds what comes late.
     *
     * @param isLate whether the command gets to the server when all is over, or was executed before
     * @throws Exception if the rule cannot be checked
     */
    @ParameterizedTest(name = "executed late: {0}")
    @ValueSource(booleans = {false, true})
    @ContractRule("LA-1")
    default void whoIsInterruptedDuringACommandLeavesNothingBehind(boolean isLate) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newHurried(true)) {
            acquire(faulty.locks(), freshName());
            Trap trap = faulty.trapNext(
                    granting(), isLate ? WireFault.holdRequest() : WireFault.holdReply(WireFault.none()));
            Background<Optional<BlockingLock>> asking =
                    Background.run(() -> faulty.locks().tryAcquire(name, ttl()));
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
     * LA-2. A grant that gets no answer within the time limit of a command is held, or given up. If the caller is answered
     * that nothing is held, nothing is, also when the server executes it later. If the outcome is indeterminate, with
     * retryable writes or in transactions the lock is released as soon as the server answers, before the ttl. Bounds: after
     * an election in between, and without numbered writes, a late request can leave a lease without a holder for one ttl.
     *
     * @param retryWrites whether the driver retries writes
     * @throws Exception if the rule cannot be checked
     */
    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("LA-2")
    default void whatIsGivenUpIsNotGrantedLater(boolean retryWrites) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newHurried(retryWrites)) {
            acquire(faulty.locks(), freshName());
            Trap trap = faulty.trapNext(granting(), WireFault.holdRequest());

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
     * LA-3. A question that was asked again, because no answer came, and comes late when the lock was given back and
     * another holds it, changes nothing.
     *
     * @param retryWrites whether the driver retries writes
     * @throws Exception if the rule cannot be checked
     */
    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("LA-3")
    default void aGrantThatComesLateChangesNothingForTheNextHolder(boolean retryWrites) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(retryWrites)) {
            Trap trap = faulty.trapNext(granting(), WireFault.delay());

            assertThat(acquire(faulty.locks(), name).release()).isTrue();

            assertUntouched(acquire(newLocks(), name), trap);
        }
    }

    /**
     * LA-4. A question that was asked more than once is one grant with one token, also when the first comes late: while
     * the lock is held, and when it was given back. Without numbered writes the late one may leave a lease that nobody
     * has; the ttl bounds it.
     *
     * @param retryWrites whether the driver retries writes
     * @throws Exception if the rule cannot be checked
     */
    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("LA-4")
    default void aQuestionThatComesLateIsNoSecondGrant(boolean retryWrites) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(retryWrites)) {
            Trap whileHeld = faulty.trapNext(granting(), WireFault.delay());
            Trap afterwards = faulty.trapNext(granting(), WireFault.delay());
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
     * LA-5. A renewal that comes late, when the lock was given back and another holds it, changes nothing.
     *
     * @param retryWrites whether the driver retries writes
     * @throws Exception if the rule cannot be checked
     */
    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("LA-5")
    default void aRenewalThatComesLateChangesNothing(boolean retryWrites) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(retryWrites)) {
            BlockingLock held = acquire(faulty.locks(), name);
            Trap trap = faulty.trapNext(WRITES, WireFault.delay());

            assertThat(held.renew()).isTrue();
            assertThat(held.release()).isTrue();

            assertUntouched(acquire(newLocks(), name), trap);
        }
    }

    /**
     * LA-6. A release that comes late, when it was repeated and another holds the lock, changes nothing.
     *
     * @param retryWrites whether the driver retries writes
     * @throws Exception if the rule cannot be checked
     */
    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("LA-6")
    default void aReleaseThatComesLateChangesNothing(boolean retryWrites) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(retryWrites)) {
            BlockingLock held = acquire(faulty.locks(), name);
            Trap trap = faulty.trapNext(WRITES, WireFault.delay());

            assertThat(held.release()).isTrue();

            assertUntouched(acquire(newLocks(), name), trap);
        }
    }

    /**
     * LA-7. A contended request that arrives a second time, after the release, acquires nothing. Without numbered writes it
     * may leave a lease without a holder, bounded by the ttl.
     *
     * @param retryWrites whether the driver retries writes
     * @throws Exception if the rule cannot be checked
     */
    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("LA-7")
    default void whatWasRefusedIsNotGrantedWhenItComesLate(boolean retryWrites) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(retryWrites)) {
            BlockingLock held = acquire(newLocks(), name);
            Trap trap = faulty.trapNext(WRITES, WireFault.delay());

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

    private void assertUntouched(BlockingLock next, Trap trap) throws InterruptedException {
        LockSnapshot before = stored(next);

        comesLate(trap);

        assertThat(stored(next)).isEqualTo(before);
        assertThat(next.renew()).isTrue();
        assertThat(next.release()).isTrue();
    }

    /** What is stored, without what is left of it. */
    private LockSnapshot stored(BlockingLock lock) throws InterruptedException {
        LockSnapshot seen = newLocks().inspect(lock.lease().name()).orElseThrow();
        return new LockSnapshot(
                seen.name(),
                seen.holder(),
                seen.fencingToken(),
                seen.revision(),
                seen.acquiredAt(),
                seen.expiresAt(),
                seen.ttl(),
                Optional.empty());
    }

    /** Is what who asked is told. */
    enum Settled {
        /** The lock is held. */
        HELD,
        /** Nothing is held. */
        NOTHING,
        /** Nobody knows. */
        UNKNOWN
    }

    /** Silence is no contention. */
    private Settled settled(BlockingLocks locks, LockName name) throws InterruptedException {
        try {
            assertThat(locks.tryAcquire(name, ttl())).isPresent();
            return Settled.HELD;
        } catch (IndeterminateLockException e) {
            return Settled.UNKNOWN;
        } catch (LockException e) {
            assertThat(e).hasMessageContaining(name.value());
            return Settled.NOTHING;
        }
    }

    /** In a session with numbers the server refuses what is older than the newest. */
    private boolean isKnown(boolean retryWrites) {
        return strategy().traits().contains(Trait.NEEDS_TRANSACTIONS) || (retryWrites && !server().isStandalone());
    }

    private static void awaitUnderWay(Trap trap, boolean isLate) throws InterruptedException {
        if (isLate) {
            trap.awaitCaught();
        } else {
            trap.awaitExecuted();
        }
    }

    private static void comesLate(Trap trap) throws InterruptedException {
        trap.release();
        trap.awaitExecuted();
    }

    private BlockingLock freeAfter(boolean ttlBoundsIt, LockName name) throws Exception {
        return ttlBoundsIt ? takeOver(newLocks(), name) : soonFree(name);
    }

    /** A subscription that is cancelled is taken back in the background: soon, long before the ttl would free the lock. */
    private BlockingLock soonFree(LockName name) throws InterruptedException {
        return newLocks()
                .acquire(new LockRequest(name, ttl(), ttl().dividedBy(2)))
                .orElseThrow(() -> new AssertionError("Lock '" + name + "' was not free within half a lease"));
    }
}
