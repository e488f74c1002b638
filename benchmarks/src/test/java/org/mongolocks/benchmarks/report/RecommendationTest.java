package org.mongolocks.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.benchmarks.report.Samples.EMBEDDED;
import static org.mongolocks.benchmarks.report.Samples.REAL;
import static org.mongolocks.benchmarks.report.Samples.difference;
import static org.mongolocks.benchmarks.report.Samples.failing;
import static org.mongolocks.benchmarks.report.Samples.measured;
import static org.mongolocks.benchmarks.report.Samples.report;
import static org.mongolocks.benchmarks.report.Samples.reportOf;
import static org.mongolocks.benchmarks.report.Samples.reportOfB1;
import static org.mongolocks.benchmarks.report.Samples.uncontended;
import static org.mongolocks.benchmarks.report.Samples.unmeasured;
import static org.mongolocks.benchmarks.report.Samples.violating;
import static org.mongolocks.spi.LockStrategy.Trait.SELF_CLEANING;
import static org.mongolocks.spi.LockStrategy.Trait.STRICT_FENCING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.report.Samples.StrategySample;
import org.mongolocks.benchmarks.result.MeasurementStatus.Why;
import org.mongolocks.benchmarks.result.PairedDifference;

class RecommendationTest {
    @Test
    void theCheapestAloneIsTheChoice() {
        String advice = advice(fenced("dear", 1.9, 800), fenced("cheap", 1.1, 800));

        assertThat(advice)
                .isEqualTo("cheap: 1.10 times the baseline alone, 400 grants/s contended,"
                        + " strictly growing fencing tokens.");
    }

    @Test
    void higherThroughputDecidesBetweenEqualCosts() {
        String advice = advice(fenced("slow", 1.10, 400), fenced("quick", 1.12, 800));

        assertThat(advice).startsWith("quick: 1.12 times");
    }

    @Test
    void equalStrategiesGiveNoRecommendation() {
        String advice = advice(fenced("one", 1.10, 800), fenced("another", 1.12, 850));

        assertThat(advice)
                .isEqualTo("no choice by these figures: one, another are not told apart without contention."
                        + " Their intervals overlap; those of a longer run would not: --only B1 --minutes 33.");
    }

    @Test
    void ifUnsureTheAdviceIsThatOfTheReadme() throws IOException {
        String advice = advice(fenced("flag-update", 1.10, 800), fenced("findandmodify-counter", 1.12, 790));

        assertThat(advice).contains(" are not told apart without contention; if unsure take findandmodify-counter. ");
        assertThat(Files.readString(Path.of("..", "README.md"))).contains("**If unsure: `findandmodify-counter`.**");
    }

    @Test
    void driftIsRemarkedBesideTheChoice() {
        double restless = 0.43;

        String advice = Recommendation.on(
                report(REAL, restless, fenced("flag-update", 1.1, 800), fenced("findandmodify-counter", 1.9, 400)));

        assertThat(advice).startsWith("flag-update: 1.10 times ").endsWith("; the baseline drifted by 43 %.");
    }

    @Test
    void pairedDifferenceDecidesBetweenOverlappingIntervals() {
        String advice = advice(
                difference("another", "one", 1.03, 0.02), fenced("one", 1.10, 800), fenced("another", 1.12, 790));

        assertThat(advice).startsWith("one: 1.10 times ");
    }

    @Test
    void openDifferenceNamesTheRoundsThatWouldDecide() {
        String advice =
                advice(difference("another", "one", 1.1, 0.2), fenced("one", 1.10, 800), fenced("another", 1.12, 790));

        assertThat(advice)
                .isEqualTo("no choice by these figures: one, another are not told apart without contention."
                        + " About 179 rounds would decide, this run had 12: --only B1 --minutes 13.");
    }

    @Test
    void aDearerOneThatGrantsManyMoreIsNamedBesideTheChoice() {
        String advice = advice(fenced("cheap", 1.1, 400), fenced("busy", 1.9, 800));

        assertThat(advice)
                .startsWith("cheap: ")
                .contains("; when many wait for one lock, busy grants 2.00 times as often.");
    }

    @Test
    void strictFencingComesBeforeSpeed() {
        String advice = advice(measured("unfenced", 1.1, 900, SELF_CLEANING), fenced("fenced", 1.9, 400));

        assertThat(advice).startsWith("fenced: ");
    }

    @Test
    void aClientThatLetTwoInIsNotAdvisedHoweverFast() {
        String advice = advice(violating("open"), fenced("closed", 1.9, 400));

        assertThat(advice).startsWith("closed: ").endsWith(" Do not use open: more than one held the lock.");
    }

    @Test
    void failedStrategyIsNotRecommended() {
        String advice = advice(failing(), fenced("steady", 1.9, 400));

        assertThat(advice).startsWith("steady: ");
    }

    @Test
    void withoutContentionTheUncontendedCostDecides() {
        String advice = Recommendation.on(
                reportOfB1(uncontended("dear", 1.9, STRICT_FENCING), uncontended("cheap", 1.1, STRICT_FENCING)));

        assertThat(advice).isEqualTo("cheap: 1.10 times the baseline alone, strictly growing fencing tokens.");
    }

    @Test
    void withoutContentionEqualCostsGiveNoRecommendation() {
        String advice = Recommendation.on(
                reportOfB1(uncontended("one", 1.12, STRICT_FENCING), uncontended("another", 1.1, STRICT_FENCING)));

        assertThat(advice)
                .isEqualTo("no choice by these figures: another, one are not told apart without contention."
                        + " Their intervals overlap; those of a longer run would not: --only B1 --minutes 33.");
    }

    @Test
    void nothingIsRecommendedWhenAllFail() {
        String advice = advice(unmeasured("gone", Why.FAILED, "It failed"));

        assertThat(advice)
                .isEqualTo(
                        "none: each strategy was skipped, failed, or violated mutual exclusion; the remarks say why.");
    }

    @Test
    void withoutTheSummaryTheAdviceNamesTheBenchmarkToAdd() {
        String advice = Recommendation.on(reportOf(List.of("B5", "B6"), fenced("one", 1.1, 800)));

        assertThat(advice).isEqualTo("none without B1: --only B1,B5,B6.");
    }

    @Test
    void figuresOfTheEmbeddedServerAreNoReasonToChoose() {
        String advice = Recommendation.on(report(EMBEDDED, fenced("cheap", 1.1, 800)));

        assertThat(advice).endsWith(" Ask your own server with --uri before you choose.");
    }

    private static String advice(StrategySample... strategies) {
        return Recommendation.on(report(REAL, strategies));
    }

    private static String advice(PairedDifference difference, StrategySample... strategies) {
        return Recommendation.on(report(List.of(difference), strategies));
    }

    private static StrategySample fenced(String name, double ratio, long grants) {
        return measured(name, ratio, grants, STRICT_FENCING);
    }
}
