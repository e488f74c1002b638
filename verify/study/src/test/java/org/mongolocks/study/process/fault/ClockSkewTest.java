package org.mongolocks.study.process.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.process.message.ChildMessage.Clocks;

/** Tests that a row with correct clocks is detected: it would show nothing, and look like a success. */
class ClockSkewTest {
    private static final Clocks NOW = new Clocks(0, 1_000_000);

    private static Clocks later(Duration real, Duration shown) {
        return new Clocks(NOW.nanos() + real.toNanos(), NOW.wallMillis() + shown.toMillis());
    }

    @Test
    void aClockThatIsAheadAsItShouldBeIsAccepted() {
        assertThat(ClockSkew.ahead(10).complaint(later(Duration.ZERO, Duration.ofMinutes(10)), NOW))
                .isEmpty();
    }

    @Test
    void aClockThatIsRightAfterAllIsNoticed() {
        assertThat(ClockSkew.ahead(10).complaint(NOW, NOW))
                .hasValue("its clock should be ahead by PT10M, and is by PT0S");
        assertThat(ClockSkew.behind(10).complaint(NOW, NOW)).isPresent();
    }

    @Test
    void aClockThatGoesAsFastAsTimeIsNoticed() {
        Clocks end = later(Duration.ofSeconds(5), Duration.ofSeconds(5));

        assertThat(ClockSkew.fast(2).complaintAtEnd(NOW, end))
                .hasValue("its clock should go 2.0 times as fast as time, and goes 1.0");
    }

    @Test
    void aClockThatGoesTwiceAsFastIsAccepted() {
        assertThat(ClockSkew.fast(2).complaintAtEnd(NOW, later(Duration.ofSeconds(5), Duration.ofSeconds(10))))
                .isEmpty();
    }
}
