package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.FaultyLocks;

/** Rules WT on deadlines: waiting is bounded even if the server does not reply. */
public interface DeadlineRules extends FaultContext {
    /**
     * WT-6. An acquisition returns at most one command timeout after its deadline, even if the server does not reply
     * and a grant would have to be compensated.
     *
     * @param isInOrder whether the request is fair (waits in the queue)
     * @throws Exception if the rule cannot be checked
     */
    @ParameterizedTest(name = "inOrder={0}")
    @ValueSource(booleans = {false, true})
    @ContractRule("WT-6")
    default void anAnswerComesOneCommandAfterTheDeadline(boolean isInOrder) throws Exception {
        Duration limit = server().timeout();
        try (FaultyLocks faulty = newHurried(true)) {
            acquire(faulty.locks(), freshName());
            faulty.stall(ALL);

            Duration answered = timeToAnswer(faulty.locks(), isInOrder);
            for (int tries = 1; tries < 3 && answered.compareTo(limit.multipliedBy(2)) >= 0; tries++) {
                answered = timeToAnswer(faulty.locks(), isInOrder);
            }

            assertThat(answered)
                    .as("the shortest of three waits, with as much again for a busy machine")
                    .isLessThan(limit.multipliedBy(2));
        }
    }

    private Duration timeToAnswer(BlockingLocks locks, boolean isInOrder) {
        LockRequest plain = new LockRequest(freshName(), ttl(), Duration.ofMillis(1));
        long start = System.nanoTime();
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> locks.acquire(isInOrder ? plain.fair() : plain));
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
