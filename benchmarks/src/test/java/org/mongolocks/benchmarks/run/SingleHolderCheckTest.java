package org.mongolocks.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;

class SingleHolderCheckTest {
    private final SingleHolderCheck check = new SingleHolderCheck();

    @Test
    void holdersOneAfterAnotherWithGrowingTokensAreNoViolation() {
        visit(1);
        visit(2);
        visit(7);

        assertThat(check.violations()).isEqualTo(new Violations(0, 0, 0));
    }

    @Test
    void aSecondHolderIsSeen() {
        check.enters(OptionalLong.of(1));
        check.enters(OptionalLong.of(2));

        assertThat(check.violations()).isEqualTo(new Violations(1, 0, 0));
    }

    @Test
    void aLockWithoutTokensIsWatchedToo() {
        check.enters(OptionalLong.empty());
        check.enters(OptionalLong.empty());

        assertThat(check.violations()).isEqualTo(new Violations(1, 0, 0));
    }

    @Test
    void aTokenThatIsNotLargerIsSeen() {
        visit(2);
        visit(2);
        visit(1);

        assertThat(check.violations()).isEqualTo(new Violations(0, 2, 0));
    }

    private void visit(long token) {
        check.enters(OptionalLong.of(token));
        check.leaves();
    }
}
