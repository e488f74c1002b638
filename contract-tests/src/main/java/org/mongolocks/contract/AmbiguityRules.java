package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.IndeterminateLockException;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.proxy.Aim;
import org.mongolocks.proxy.Trap;
import org.mongolocks.proxy.WireFault;

/** AM: what may or may not have been done is found out, or said to be unknown; nothing is done twice. */
public interface AmbiguityRules extends FaultSetting {
    /** A driver retries writes or does not; each mishap is survived either way. */
    List<Boolean> WITH_AND_WITHOUT_RETRIES = List.of(true, false);

    /**
     * AM-1. Whatever happens on the way to the command that grants, one question is one grant: the lock is held with the
     * token that the server gave it first, the holder does not overestimate its lease, and a release frees it.
     *
     * @param mishap what happens
     * @throws Exception if the rule cannot be checked
     */
    @ParameterizedTest
    @EnumSource(Mishap.class)
    @ContractRule("AM-1")
    default void aGrantIsFoundOutWhateverHappensToIt(Mishap mishap) throws Exception {
        BlockingLocks others = newLocks();
        for (boolean retryWrites : WITH_AND_WITHOUT_RETRIES) {
            LockName name = freshName();
            try (FaultyLocks faulty = newFaulty(retryWrites)) {
                Trap trap = faulty.trapNext(granting(), mishap.fault());
                Background<BlockingLock> asking = Background.run(() -> acquire(faulty.locks(), name));
                OptionalLong first = tokenSeenDuring(mishap, trap, name, others);
                BlockingLock held = asking.result();

                assertHeldOnce(held, others);
                first.ifPresent(token -> assertThat(held.fencingToken()).isEqualTo(token));
                assertThat(held.release()).isTrue();
                assertThat(acquire(others, name).fencingToken()).isGreaterThan(held.fencingToken());
            }
        }
    }

    /**
     * AM-2. Whatever happens on the way to a renewal, the lock is renewed, and held with the same token.
     *
     * @param mishap what happens
     * @throws Exception if the rule cannot be checked
     */
    @ParameterizedTest
    @EnumSource(Mishap.class)
    @ContractRule("AM-2")
    default void aRenewalIsFoundOutWhateverHappensToIt(Mishap mishap) throws Exception {
        BlockingLocks others = newLocks();
        for (boolean retryWrites : WITH_AND_WITHOUT_RETRIES) {
            try (FaultyLocks faulty = newFaulty(retryWrites)) {
                BlockingLock held = acquire(faulty.locks(), freshName());
                long token = held.fencingToken();
                long end = held.lease().validUntilNanos();

                Trap trap = faulty.trapNext(WRITES, mishap.fault());
                Background<Boolean> renewing = Background.run(held::renew);
                goOnWhenExecuted(mishap, trap);

                assertThat(renewing.result()).isTrue();
                assertThat(held.fencingToken()).isEqualTo(token);
                assertThat(held.lease().validUntilNanos() - end).isPositive();
                assertHeldOnce(held, others);
            }
        }
    }

    /**
     * AM-3. Whatever happens on the way to a release, the lock is free, and the holder is not told of a loss.
     *
     * @param mishap what happens
     * @throws Exception if the rule cannot be checked
     */
    @ParameterizedTest
    @EnumSource(Mishap.class)
    @ContractRule("AM-3")
    default void aReleaseIsFoundOutWhateverHappensToIt(Mishap mishap) throws Exception {
        BlockingLocks others = newLocks();
        for (boolean retryWrites : WITH_AND_WITHOUT_RETRIES) {
            LockName name = freshName();
            try (FaultyLocks faulty = newFaulty(retryWrites)) {
                BlockingLock held = acquire(faulty.locks(), name);

                Trap trap = faulty.trapNext(WRITES, mishap.fault());
                Background<Boolean> releasing = Background.run(held::release);
                goOnWhenExecuted(mishap, trap);

                assertThat(releasing.result()).isTrue();
                assertThat(held.loss()).isEmpty();
                assertThat(acquire(others, name).fencingToken()).isGreaterThan(held.fencingToken());
            }
        }
    }

    /**
     * AM-4. When neither a grant nor its being taken back is answered, the outcome is unknown: it is an error that says
     * so, and the ttl bounds what may be held.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("AM-4")
    default void whatCannotBeFoundOutIsSaidToBeUnknown() throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newHurried(false)) {
            Trap grant = faulty.proxy().arm(Aim.atAll(granting()), WireFault.holdReply(WireFault.loseReply()));
            Background<?> asking = Background.run(() -> faulty.locks().tryAcquire(name, ttl()));
            grant.awaitExecuted();
            faulty.proxy().arm(Aim.atAll(ALL), WireFault.loseReply());
            grant.release();

            assertThatExceptionOfType(IndeterminateLockException.class)
                    .isThrownBy(asking::result)
                    .withMessageContaining(name.value());
        }
        assertThat(takeOver(newLocks(), name).isHeld()).isTrue();
    }

    /**
     * AM-5. Whoever is interrupted (or cancels) during a renewal is told nothing about it: the old end of the lease stands,
     * nothing is lost, and the next renewal succeeds.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("AM-5")
    default void whoIsInterruptedDuringARenewalStillHoldsTheLock() throws Exception {
        try (FaultyLocks faulty = newHurried(true)) {
            BlockingLock held = acquire(faulty.locks(), freshName());
            long end = held.lease().validUntilNanos();
            Trap trap = faulty.trapNext(WRITES, WireFault.holdReply(WireFault.none()));
            Background<Boolean> renewing = Background.run(held::renew);
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

    /**
     * AM-6. A release goes on to its end, though the one who asked for it is interrupted (or cancels) meanwhile.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("AM-6")
    default void aReleaseIsNotInterrupted() throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(true)) {
            BlockingLock held = acquire(faulty.locks(), name);
            Trap trap = faulty.trapNext(WRITES, WireFault.loseRequest());
            Trap again = faulty.trapNext(WRITES, WireFault.holdRequest());
            Background<Boolean> releasing = Background.run(held::release);
            trap.awaitCaught();
            again.awaitCaught();

            releasing.interrupt();
            again.release();
            releasing.awaitEnd();

            BlockingLocks others = newLocks();
            Soon.isTrue("the lock is free", () -> others.tryAcquire(name, ttl()).isPresent());
            assertThat(held.loss()).isEmpty();
        }
    }

    /**
     * AM-7. A question for which the driver has no connection left never leaves: that is an error, and nothing is held,
     * then or later. With numbered writes that is known; else it is said to be unknown.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("AM-7")
    default void whatFindsNoConnectionIsNotGranted() throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newHurried(true)) {
            acquire(faulty.locks(), freshName());
            Trap busy = faulty.useUpConnections();

            assertNotGranted(faulty, name);

            busy.release();
            assertThat(newLocks().tryAcquire(name, ttl())).isPresent();
            assertThat(faulty.locks().tryAcquire(freshName(), ttl())).isPresent();
        }
    }

    /**
     * AM-8. While the server cannot be reached nothing is granted, and what is held stays held until its end; when it can be
     * reached again, all goes on.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("AM-8")
    default void whileTheServerIsOutOfReachNothingIsGrantedAndNothingIsLost() throws Exception {
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

    private void assertNotGranted(FaultyLocks faulty, LockName name) {
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> faulty.locks().tryAcquire(name, ttl()))
                .withMessageContaining(name.value())
                .satisfies(e -> assertThat(!server().isStandalone() && e instanceof IndeterminateLockException)
                        .as("known, but said to be unknown")
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

    /** Looks at what the server has granted before the one who asked learns of the mishap. */
    private static OptionalLong tokenSeenDuring(Mishap mishap, Trap trap, LockName name, BlockingLocks others)
            throws InterruptedException {
        if (!mishap.isSeen()) {
            return OptionalLong.empty();
        }
        trap.awaitExecuted();
        long token = others.inspect(name).orElseThrow().fencingToken();
        trap.release();
        return OptionalLong.of(token);
    }

    private static void goOnWhenExecuted(Mishap mishap, Trap trap) throws InterruptedException {
        if (mishap.isSeen()) {
            trap.awaitExecuted();
            trap.release();
        }
    }
}
