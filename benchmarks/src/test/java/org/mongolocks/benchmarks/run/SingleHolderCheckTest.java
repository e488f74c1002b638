package org.mongolocks.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;

class SingleHolderCheckTest {
    private final SingleHolderCheck witness = new SingleHolderCheck();

    @Test
    void holdersOneAfterAnotherWithGrowingTokensAreNoViolation() {
        visit(1);
        visit(2);
        visit(7);

        assertThat(witness.violations()).isEqualTo(new Violations(0, 0, 0));
    }

    @Test
    void aSecondHolderIsSeen() {
        witness.enters(1);
        witness.enters(2);

        assertThat(witness.violations()).isEqualTo(new Violations(1, 0, 0));
    }

    @Test
    void aLockWithoutTokensIsWatchedToo() {
        witness.enters(OptionalLong.empty());
        witness.enters(OptionalLong.empty());

        assertThat(witness.violations()).isEqualTo(new Violations(1, 0, 0));
    }

    @Test
    void aTokenThatIsNotLargerIsSeen() {
        visit(2);
        visit(2);
        visit(1);

        assertThat(witness.violations()).isEqualTo(new Violations(0, 2, 0));
    }

    private void visit(long token) {
        witness.enters(token);
        witness.leaves();
    }
}
