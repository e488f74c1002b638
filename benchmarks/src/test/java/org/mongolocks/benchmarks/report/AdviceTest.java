package org.mongolocks.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.benchmarks.report.Samples.EMBEDDED;
import static org.mongolocks.benchmarks.report.Samples.REAL;
import static org.mongolocks.benchmarks.report.Samples.failing;
import static org.mongolocks.benchmarks.report.Samples.measured;
import static org.mongolocks.benchmarks.report.Samples.report;
import static org.mongolocks.benchmarks.report.Samples.unmeasured;
import static org.mongolocks.benchmarks.report.Samples.violating;
import static org.mongolocks.spi.Trait.SELF_CLEANING;
import static org.mongolocks.spi.Trait.STRICT_FENCING;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.measure.StrategyResult.Why;

class AdviceTest {
    @Test
    void theCheapestAloneIsTheChoice() {
        String advice = Advice.on(
                report(REAL, measured("dear", 1.9, 800, STRICT_FENCING), measured("cheap", 1.1, 800, STRICT_FENCING)));

        assertThat(advice)
                .isEqualTo("cheap: 1.10 times the floor alone, 400 grants/s contended,"
                        + " strictly growing fencing tokens.");
    }

    @Test
    void ofThoseThatAreEquallyCheapTheOneThatGrantsMoreIsTheChoice() {
        String advice = Advice.on(report(
                REAL, measured("slow", 1.10, 400, STRICT_FENCING), measured("quick", 1.12, 800, STRICT_FENCING)));

        assertThat(advice).startsWith("quick: 1.12 times");
    }

    @Test
    void aDearerOneThatGrantsManyMoreIsNamedBesideTheChoice() {
        String advice = Advice.on(
                report(REAL, measured("cheap", 1.1, 400, STRICT_FENCING), measured("busy", 1.9, 800, STRICT_FENCING)));

        assertThat(advice)
                .startsWith("cheap: ")
                .contains("; when many wait for one lock, busy grants 2.00 times as often.");
    }

    @Test
    void strictFencingComesBeforeSpeed() {
        String advice = Advice.on(report(
                REAL, measured("unfenced", 1.1, 900, SELF_CLEANING), measured("fenced", 1.9, 400, STRICT_FENCING)));

        assertThat(advice).startsWith("fenced: ");
    }

    @Test
    void whoeverLetTwoInIsNotAdvisedHoweverFast() {
        String advice = Advice.on(report(REAL, violating("open"), measured("closed", 1.9, 400, STRICT_FENCING)));

        assertThat(advice).startsWith("closed: ").endsWith(" Do not use open: more than one held the lock.");
    }

    @Test
    void errorsSpeakAgainstAStrategy() {
        String advice = Advice.on(
                report(REAL, failing("shaky", List.of("lost")), measured("steady", 1.9, 400, STRICT_FENCING)));

        assertThat(advice).startsWith("steady: ");
    }

    @Test
    void whenNoneStandsTheTestNoneIsAdvised() {
        String advice = Advice.on(report(REAL, unmeasured("gone", Why.FAILED, "It failed")));

        assertThat(advice).isEqualTo("none; no strategy stood the test.");
    }

    @Test
    void figuresOfTheEmbeddedServerAreNoReasonToChoose() {
        String advice = Advice.on(report(EMBEDDED, measured("cheap", 1.1, 800, STRICT_FENCING)));

        assertThat(advice).endsWith(" Ask your own server with --uri before you choose.");
    }
}
