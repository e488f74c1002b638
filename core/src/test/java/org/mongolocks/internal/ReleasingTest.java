package org.mongolocks.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.internal.FakeStrategy.fails;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.Step;

class ReleasingTest {
    private final Lab lab = new Lab();
    private final FakeStrategy strategy = new FakeStrategy();

    @Test
    void aLockThatWasHeldUntilNowIsReleased() {
        assertThat(lab.result(releasing(Step.done(true)))).isTrue();
    }

    @Test
    void aLockThatWasNotHeldIsNotReleased() {
        assertThat(lab.result(releasing(Step.done(false)))).isFalse();
    }

    @Test
    void aReleaseWhoseReplyWasLostCountsWhenNothingIsLeftToRelease() {
        strategy.releases(fails(Fault.AMBIGUOUS));

        assertThat(lab.result(releasing(Step.done(false)))).isTrue();
    }

    @Test
    void aReleaseThatWasNotHeardDoesNotCount() {
        strategy.releases(fails(Fault.NOT_SENT));

        assertThat(lab.result(releasing(Step.done(false)))).isFalse();
    }

    @Test
    void faultsEndIt() {
        assertThat(lab.run(releasing(fails(Fault.AMBIGUOUS)))).isInstanceOf(Step.Fail.class);
        assertThat(strategy.calls).hasSize(Lab.MOST_ATTEMPTS);
    }

    @Test
    void itIsOfNoUseToAskAfterTheEndOfTheLease() {
        strategy.releases(fails(Fault.AMBIGUOUS));
        OptionalLong token = OptionalLong.of(1);
        long ended = lab.time.nanoTime();

        Step<Boolean> last = lab.run(new Releasing(lab.settings(strategy), Lab.NAME, Lab.OWNER, token, ended).start());

        assertThat(last).isInstanceOf(Step.Fail.class);
        assertThat(strategy.calls).hasSize(1);
    }

    private Step<Boolean> releasing(Step<Boolean> last) {
        strategy.releases(last);
        long end = lab.time.nanoTime() + Lab.TTL.toNanos();
        return new Releasing(lab.settings(strategy), Lab.NAME, Lab.OWNER, OptionalLong.of(1), end).start();
    }
}
