package org.mongolocks.doctor.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mongolocks.doctor.check.CheckResult.Status;
import org.mongolocks.doctor.check.ClockCheck.Offset;

class ClockCheckTest {
    private static final Set<String> BY_CLOCK = Set.of("flag-update");
    private static final Set<String> ALL = Set.of("flag-update", "optimistic-version-clock-free");

    @Test
    void serversThatMayAgreeAreFineHoweverFarAheadTheyAre() {
        Map<String, Offset> offsets = Map.of("a:1", offset(59_990, 60_010), "b:1", offset(60_005, 60_200));

        CheckResult finding = judge(offsets, BY_CLOCK);

        assertThat(finding.status()).isEqualTo(Status.OK);
        assertThat(finding.strategies()).isEqualTo(ALL);
        assertThat(finding.seen()).contains("a:1 by 60000 ms ± 10 ms");
    }

    @Test
    void serversThatDifferByMoreThanTheMarginAreAWarning() {
        CheckResult finding = judge(Map.of("a:1", offset(0, 10), "b:1", offset(60, 70)), BY_CLOCK);

        assertThat(finding.status()).isEqualTo(Status.WARNING);
        assertThat(finding.strategies()).isEqualTo(BY_CLOCK);
        assertThat(finding.seen()).contains("at least 50 ms apart");
    }

    @Test
    void serversThatDifferBySecondsDoNotHold() {
        Map<String, Offset> offsets = Map.of("a:1", offset(-5_000, -4_990), "b:1", offset(0, 10), "c:1", offset(0, 10));

        CheckResult finding = judge(offsets, BY_CLOCK);

        assertThat(finding.status()).isEqualTo(Status.BROKEN);
        assertThat(finding.advice()).singleElement().asString().contains("skewMargin of more than 4990 ms");
    }

    @Test
    void clockIsNotCheckedForClockFreeStrategies() {
        CheckResult finding = judge(Map.of("a:1", offset(0, 10), "b:1", offset(5_000, 5_010)), Set.of());

        assertThat(finding.status()).isEqualTo(Status.OK);
    }

    @Test
    void withoutAReplyNothingIsReported() {
        assertThat(new ClockCheck().judge(Map.of(), BY_CLOCK, ALL)).isEmpty();
    }

    private static CheckResult judge(Map<String, Offset> offsets, Set<String> byServerClock) {
        return new ClockCheck().judge(offsets, byServerClock, ALL).orElseThrow();
    }

    private static Offset offset(long leastMillis, long mostMillis) {
        return new Offset(Duration.ofMillis(leastMillis), Duration.ofMillis(mostMillis));
    }
}
