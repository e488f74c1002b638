package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;

/** WT, continued: waiting is bounded also when the server does not answer. */
public interface DeadlineRules extends FaultSetting {
    /**
     * WT-6. An acquisition is answered one time limit of a command after its deadline at the latest, also when the server
     * answers nothing and whatever would have to be taken back.
     *
     * @param isInOrder whether it asks in order
     * @throws Exception if the rule cannot be checked
     */
    @ParameterizedTest(name = "inOrder={0}")
    @ValueSource(booleans = {false, true})
    @ContractRule("WT-6")
    default void anAnswerComesOneCommandAfterTheDeadline(boolean isInOrder) throws Exception {
        LockName name = freshName();
        Duration limit = server().patience();
        LockRequest plain = new LockRequest(name, ttl(), Duration.ofMillis(1));
        try (FaultyLocks faulty = newFaulty(true)) {
            acquire(faulty.locks(), freshName());
            faulty.block(ALWAYS, (int) limit.multipliedBy(3).toMillis(), ALL);
            long start = System.nanoTime();

            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(() -> faulty.locks().acquire(isInOrder ? plain.inOrder() : plain));

            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("as long again is for the threads of a busy machine")
                    .isLessThan(limit.multipliedBy(2));
        }
    }
}
