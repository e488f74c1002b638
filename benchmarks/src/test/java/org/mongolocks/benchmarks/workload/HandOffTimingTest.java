package org.mongolocks.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.lock.LockImplementation.WaitMode;
import org.mongolocks.benchmarks.workload.PingPong.HandOffTiming;

class HandOffTimingTest {
    private static final Duration TURN = Duration.ofSeconds(1);

    @Test
    void aWaiterThatPollsIsHeldUpForUpToOneOfItsPeriodsMore() {
        HandOffTiming polled = HandOffTiming.measured(WaitMode.polling(Duration.ofMillis(500)), TURN);

        assertThat(polled.longestHold()).isEqualTo(Duration.ofMillis(515));
        assertThat(polled.holdNanos()).isBetween(5_000_000L, 515_000_000L);
    }

    @Test
    void warmUpMakesManyMoreHandOffsThanAMeasuredRun() {
        HandOffTiming measured = HandOffTiming.measured(WaitMode.NOTIFIED, TURN);
        HandOffTiming before = HandOffTiming.warmingUp(TURN);

        assertThat(before.time().dividedBy(before.longestHold()))
                .isGreaterThan(15 * measured.time().dividedBy(measured.longestHold()));
    }
}
