package org.mongolocks.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.rival.Waiting;

class PaceTest {
    private static final Duration TURN = Duration.ofSeconds(1);

    @Test
    void aWaiterThatPollsIsHeldUpForUpToOneOfItsPeriodsMore() {
        Pace polled = Pace.measured(Waiting.polling(Duration.ofMillis(500)), TURN);

        assertThat(polled.longestHold()).isEqualTo(Duration.ofMillis(515));
        assertThat(polled.holdNanos()).isBetween(5_000_000L, 515_000_000L);
    }

    @Test
    void warmingUpMakesManyMoreHandOffsThanATurnThatCounts() {
        Pace measured = Pace.measured(Waiting.TOLD, TURN);
        Pace before = Pace.warmingUp(TURN);

        assertThat(before.time().dividedBy(before.longestHold()))
                .isGreaterThan(30 * measured.time().dividedBy(measured.longestHold()));
    }
}
