package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.rules.ContractContext.ContractRule;

/**
 * Rules FL, faults: despite lost messages an acquisition ends as held or not held, no lock is granted twice,
 * and nothing is left behind. Faults of single commands are in {@link AmbiguityRules}.
 */
public interface FaultRules extends ContractContext {
    /**
     * FL-2. If the command that acquires is lost, the client retries it.
     *
     * @param retryWrites whether the driver retries writes
     */
    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("FL-2")
    default void aLostQuestionIsAskedAgain(boolean retryWrites) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(retryWrites)) {
            faulty.closeConnection(1, ALL);

            assertGrantedOnce(faulty, name);
        }
    }

    /**
     * FL-3. A stepped-down primary or a write conflict is a transient fault: the client retries.
     *
     * @param code the server's code: NotWritablePrimary, WriteConflict, InterruptedDueToReplStateChange
     */
    @ParameterizedTest(name = "code {0}")
    @ValueSource(ints = {10107, 112, 11602})
    @ContractRule("FL-3")
    default void aPassingRefusalIsFollowedByTheSameQuestion(int code) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(true)) {
            faulty.refuse(1, code, ALL);

            assertGrantedOnce(faulty, name);
        }
    }

    /** FL-4. An error that is not transient is reported as an error, not as contention; nothing is held. */
    @Test
    @ContractRule("FL-4")
    default void aRefusalIsAnError() throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(true)) {
            faulty.refuse(ALWAYS, 13, ALL);

            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(() -> faulty.locks().tryAcquire(name, ttl()))
                    .withMessageContaining(strategy().name())
                    .withMessageContaining(name.value());
        }
        assertThat(newLocks().tryAcquire(name, ttl())).isPresent();
    }

    /**
     * FL-5. If no command reaches the server, acquiring fails with an error, and the lock can be acquired by others.
     *
     * @param retryWrites whether the driver retries writes
     */
    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("FL-5")
    default void commandThatIsNeverSentHoldsNothing(boolean retryWrites) throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newHurried(retryWrites)) {
            faulty.closeConnection(ALWAYS, ALL);

            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(() -> faulty.locks().tryAcquire(name, ttl()));
        }
        assertThat(newLocks().tryAcquire(name, ttl())).isPresent();
    }

    /**
     * FL-6. If every grant stays ambiguous, it is compensated: acquiring fails, and the lock can be acquired at once.
     */
    @Test
    @ContractRule("FL-6")
    default void aGrantThatStaysAmbiguousIsCompensated() throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(true)) {
            faulty.failWriteConcern(ALWAYS, granting());

            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(() -> faulty.locks().tryAcquire(name, ttl()));
        }
        assertThat(newLocks().tryAcquire(name, ttl())).isPresent();
    }

    /**
     * FL-8. A renewal without a reply is not a loss: the old end of the lease remains valid, and the next renewal may
     * succeed.
     */
    @Test
    @ContractRule("FL-8")
    default void aRenewalWithoutAnAnswerIsNoLoss() throws Exception {
        try (FaultyLocks faulty = newFaulty(false)) {
            BlockingLock held = acquire(faulty.locks(), freshName());
            long end = held.lease().validUntilNanos();

            faulty.closeConnection(ALWAYS, WRITES);
            assertThatExceptionOfType(LockException.class).isThrownBy(held::renew);
            assertThat(held.lease().validUntilNanos()).isEqualTo(end);
            assertThat(held.loss()).isEmpty();

            faulty.heal();
            assertThat(held.renew()).isTrue();
        }
    }

    /** FL-10. A release that is hit by a network fault still reports that the lock had been lost. */
    @Test
    @ContractRule("FL-10")
    default void aLostReleaseDoesNotHideALoss() throws Exception {
        LockName name = freshName();
        BlockingLocks operator = newLocks();
        try (FaultyLocks faulty = newFaulty(false)) {
            BlockingLock held = acquire(faulty.locks(), name);
            assertThat(operator.forceRelease(operator.inspect(name).orElseThrow()))
                    .isTrue();
            acquire(operator, name);

            faulty.closeConnection(1, WRITES);
            assertThat(held.release()).isFalse();
        }
    }

    private void assertGrantedOnce(FaultyLocks faulty, LockName name) throws InterruptedException {
        BlockingLock held = acquire(faulty.locks(), name);

        LockSnapshot seen = faulty.locks().inspect(name).orElseThrow();
        assertThat(seen.holder()).contains(held.lease().owner().stored());
        assertThat(seen.fencingToken()).isEqualTo(held.fencingToken());
        assertThat(newLocks().tryAcquire(name, ttl())).isEmpty();
        assertThat(held.release()).isTrue();
        assertThat(newLocks().tryAcquire(name, ttl())).isPresent();
    }
}
