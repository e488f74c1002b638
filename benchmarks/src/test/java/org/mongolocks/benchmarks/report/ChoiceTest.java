package org.mongolocks.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.benchmarks.report.SampleReport.COUNTER;
import static org.mongolocks.benchmarks.report.SampleReport.EMBEDDED;
import static org.mongolocks.benchmarks.report.SampleReport.INSERT;
import static org.mongolocks.benchmarks.report.SampleReport.STANDALONE;
import static org.mongolocks.benchmarks.report.SampleReport.TRANSACTIONAL;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.report.Report.Machine;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.result.MeasurementStatus.Failure;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.spi.LockStrategy.Trait;

/** The choice and the ranks follow from traits and clear differences. */
class ChoiceTest {
    private static final String ALONE = "time alone";
    private static final String CONTENDED = "contended";

    private final SampleReport shipped = SampleReport.shipped();

    @Test
    void withoutClearDifferencesTheDefaultIsChosenAndAllHaveOneRank() {
        shipped.alone(COUNTER, INSERT, 1.1, 0.2);

        assertThat(shipped.choice().advice())
                .containsExactly(
                        "Take findandmodify-counter for most uses: one command for each attempt, whether the lock is"
                                + " free or held; the others need two or more for one of these.",
                        "More time tells smaller differences apart: ./compare --full (twenty minutes).");
        assertThat(shipped.order(ALONE)).containsExactly("1 " + COUNTER, "1 " + INSERT);
    }

    @Test
    void theDefaultIsThatOfTheReadme() throws IOException {
        assertThat(Files.readString(Path.of("..", "README.md"))).contains("**If unsure: `" + Choice.DEFAULT + "`.**");
    }

    @Test
    void rankCountsTheStrategiesThatAreClearlyBetter() {
        shipped.alone(TRANSACTIONAL, COUNTER, 2.4, 0.1).alone(TRANSACTIONAL, INSERT, 2.3, 0.1);
        shipped.figure("B10", Metric.BYTES, COUNTER, 1000)
                .figure("B10", Metric.BYTES, TRANSACTIONAL, 1015)
                .figure("B10", Metric.BYTES, INSERT, 990);

        assertThat(shipped.order(ALONE)).containsExactly("1 " + COUNTER, "1 " + INSERT, "3 " + TRANSACTIONAL);
        assertThat(shipped.order("bytes")).containsExactly("1 " + COUNTER, "1 " + INSERT, "2 " + TRANSACTIONAL);
    }

    @Test
    @Tag("finds:compare-unclear-difference")
    void intervalThatBarelyExcludesOneIsNoClearDifference() {
        shipped.alone(TRANSACTIONAL, COUNTER, 1.10, 0.08);

        assertThat(shipped.order(ALONE)).containsExactly("1 " + COUNTER, "1 " + TRANSACTIONAL);
    }

    @Test
    void timesWithoutPairsAreNotToldApartHoweverFarApartTheyAre() {
        shipped.figure("B1", Metric.LATENCY, COUNTER, 400_000).figure("B1", Metric.LATENCY, INSERT, 100_000);

        assertThat(shipped.choice().strategy()).contains(COUNTER);
        assertThat(shipped.order(ALONE)).containsExactly("1 " + COUNTER, "1 " + INSERT);
    }

    @Test
    void strategyThatIsBetterAndWorseInNothingIsChosen() {
        shipped.superior("alpha", COUNTER);

        assertThat(shipped.choice().advice())
                .first()
                .isEqualTo("Take alpha for most uses: it promises what findandmodify-counter does, is clearly worse in"
                        + " nothing, and clearly better in time alone.");
        assertThat(shipped.order(ALONE)).containsExactly("1 alpha", "2 " + COUNTER);
    }

    @Test
    void strategyThatIsBetterButPromisesLessIsNotChosen() {
        shipped.superior("alpha", COUNTER).change("alpha", one -> one.with(List.of("STRICT_FENCING")));

        assertThat(shipped.choice().strategy()).contains(COUNTER);
    }

    @Test
    void strategyThatIsBetterInOneThingAndWorseInAnotherIsNotChosen() {
        shipped.superior("alpha", COUNTER);
        shipped.figure("B10", Metric.BYTES, COUNTER, 1000).figure("B10", Metric.BYTES, "alpha", 1500);

        assertThat(shipped.choice().strategy()).contains(COUNTER);
        assertThat(shipped.order("bytes")).containsExactly("1 " + COUNTER, "2 alpha");
    }

    @Test
    void onlyTheLargestNumberOfWaitersAndAKilledHolderCount() {
        shipped.contended(INSERT, COUNTER, 8, 2.77, 0.1).contended(INSERT, COUNTER, 64, 0.5, 0.02);
        shipped.recovery(COUNTER, "killed", 3e9).recovery(INSERT, "abandoned", 1e9);

        assertThat(shipped.order(CONTENDED)).containsExactly("1 " + COUNTER, "2 " + INSERT);
        assertThat(shipped.order("after a crash")).containsExactly("1 " + COUNTER);
    }

    @Test
    void runOfOneStrategyTakesIt() {
        SampleReport one = new SampleReport().strategy(INSERT, Trait.STRICT_FENCING);
        one.figure("B1", Metric.LATENCY, INSERT, 1e6);

        assertThat(one.choice().advice())
                .containsExactly("Take insert-unique for most uses: the only one of this run.");
    }

    @Test
    void runOfOwnStrategiesTakesTheFencedOneOfTheBestRank() {
        SampleReport own = new SampleReport()
                .strategy("alpha", Trait.STRICT_FENCING)
                .strategy("beta", Trait.STRICT_FENCING)
                .strategy("gamma");
        own.alone("beta", "alpha", 0.7, 0.02).alone("gamma", "beta", 0.5, 0.02);

        assertThat(own.choice().strategy()).contains("beta");
        assertThat(own.order(ALONE)).containsExactly("1 gamma", "2 beta", "2 alpha");
    }

    @Test
    void standaloneIsNeverSentToTransactions() {
        shipped.server = STANDALONE;
        shipped.alone(TRANSACTIONAL, COUNTER, 0.5, 0.01);

        assertThat(shipped.choice().strategy()).contains(COUNTER);
        assertThat(shipped.order(ALONE)).containsExactly("1 " + COUNTER, TRANSACTIONAL);
    }

    @Test
    void strategyThatFailedOrViolatedIsNotTakenAndTheReasonIsSaid() {
        shipped.change(COUNTER, one -> one.with(one.verdict().with(List.of(new Failure("B4", "A lock was lost")))))
                .change(INSERT, one -> one.with(MeasurementStatus.voided("Two were in")));

        assertThat(shipped.choice().strategy()).contains("flag-update");
        assertThat(shipped.choice().advice())
                .contains(
                        "Do not take findandmodify-counter: it failed in B4 (A lock was lost).",
                        "Do not take insert-unique: it granted one lock to more than one owner.");
    }

    @Test
    void runWithoutAnyUsableStrategyChoosesNone() {
        SampleReport none = new SampleReport().strategy("alpha").change("alpha", ChoiceTest::skipped);

        assertThat(none.choice().strategy()).isEmpty();
        assertThat(none.choice().advice()).first().asString().startsWith("Take none of these: ");
    }

    private static LockUnderTest skipped(LockUnderTest one) {
        return one.with(MeasurementStatus.skipped("It failed"));
    }

    @Test
    void adviceSaysWhatIsMissingNoisyBusyOrShort() {
        shipped.alone(COUNTER, INSERT, 1.1, 0.2).noise("B5", 0.12).noise("B1", 0.76);
        shipped.missing.addAll(List.of("B6", "B10"));
        shipped.server = EMBEDDED;
        shipped.minutes = 0.6;
        shipped.machine = new Machine(2, "Linux 6.1 amd64", "OpenJDK 17", 9.5, 4_000_000_000L);

        assertThat(shipped.choice().advice().stream().skip(1))
                .containsExactly(
                        "The run did not end: without B6, B10.",
                        "Noisy: baselines drifted by up to 76 % in B1, B5, because other programs were busy or the JVM still"
                                + " compiled. Few times differ clearly then: promises, commands and bytes decide.",
                        "The machine was busy before the run began: load 9.50 with 2 processors.",
                        "More time tells smaller differences apart: ./compare (four minutes).",
                        "Times are those of the embedded server, in memory: measure yours with --uri.");
    }

    @Test
    @Tag("finds:times-that-were-not-measured")
    void runWithoutTimesSaysNothingAboutTimes() {
        shipped.server = EMBEDDED;
        shipped.noise("B1", 0.76);
        shipped.figure("B10", Metric.BYTES, COUNTER, 1000).figure("B10", Metric.BYTES, INSERT, 1000);

        assertThat(shipped.choice().advice().stream().skip(1))
                .containsExactly("No time was measured: promises, commands and bytes decide.");
    }

    @Test
    void strategyWithoutAFigureHasNoRank() {
        shipped.alone(COUNTER, INSERT, 1.1, 0.2).figure("B10", Metric.BYTES, TRANSACTIONAL, 1000);

        assertThat(shipped.order(ALONE)).containsExactly("1 " + COUNTER, "1 " + INSERT);
        assertThat(shipped.order("bytes")).containsExactly("1 " + TRANSACTIONAL);
    }
}
