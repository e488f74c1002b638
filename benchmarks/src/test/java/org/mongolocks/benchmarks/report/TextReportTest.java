package org.mongolocks.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.benchmarks.report.Samples.EMBEDDED;
import static org.mongolocks.benchmarks.report.Samples.REAL;
import static org.mongolocks.benchmarks.report.Samples.failing;
import static org.mongolocks.benchmarks.report.Samples.measured;
import static org.mongolocks.benchmarks.report.Samples.report;
import static org.mongolocks.benchmarks.report.Samples.stopped;
import static org.mongolocks.benchmarks.report.Samples.unmeasured;
import static org.mongolocks.spi.LockStrategy.Trait.STRICT_FENCING;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.report.Report.Machine;
import org.mongolocks.benchmarks.report.choice.Answer;
import org.mongolocks.benchmarks.result.MeasurementStatus.Why;

class TextReportTest {
    private final CapturedConsole captured = new CapturedConsole();

    @Test
    void choiceIsTheFirstLineAndBoldOnATerminal() {
        TextReport.print(report(EMBEDDED, measured("alpha", 1.1, 800)), captured.terminal());

        assertThat(captured.out()).startsWith("\u001b[1mTake alpha for most uses: the only one of this run");
    }

    @Test
    void differencesNeedsCostsAndServerFollowInThisOrder() {
        TextReport.print(
                report(REAL, measured("alpha", 2.2, 800, STRICT_FENCING), measured("beta", 1.0, 800, STRICT_FENCING)),
                captured.plain());

        assertThat(captured.out())
                .containsSubsequence(
                        "Take beta for most uses: ",
                        "Clearly different from it in this run:",
                        "  alpha  2.2 times the time to acquire and release",
                        "you need ",
                        "Least time while the lock is free ",
                        "time alone",
                        "alpha  880 µs",
                        "Server: ");
        assertThat(captured.err()).isEmpty();
    }

    @Test
    void tableSaysTheSameAsTheResults() {
        Report report = report(REAL, measured("alpha", 2.2, 800), measured("beta", 1.0, 800));

        TextReport.print(report, captured.plain());

        List<Answer> table = report.choice().table();
        assertThat(table)
                .isNotEmpty()
                .allSatisfy(answer -> assertThat(captured.out().lines())
                        .anyMatch(line -> line.startsWith(answer.need().title()) && line.endsWith(answer.why())));
        assertThat(ResultsJson.of(report)).contains(report.choice().headline());
    }

    @Test
    void strategyThatTheServerCannotRunIsListedWithTheReason() {
        TextReport.print(
                report(REAL, unmeasured("beta", Why.NEEDS_REPLICA_SET, "Strategy 'beta' needs transactions")),
                captured.plain());

        assertThat(captured.out()).contains("beta: Strategy 'beta' needs transactions", "skipped: needs a replica set");
    }

    @Test
    void noiseIsOneLine() {
        TextReport.print(report(REAL, measured("alpha", 1.1, 800)), captured.plain());

        assertThat(captured.out()
                        .lines()
                        .filter(line -> line.startsWith("Noisy: baselines drifted by up to 75 % in B1")))
                .hasSize(1);
    }

    @Test
    @Tag("finds:busy-machine-in-the-terminal")
    void busyMachineIsAWarningAsOnThePage() {
        Report calm = report(REAL, measured("alpha", 1.1, 800));
        Machine busy = new Machine(2, "Linux 6.1 amd64", "OpenJDK 17", 9.5, 4_000_000_000L);
        TextReport.print(calm, captured.plain());
        assertThat(captured.out()).doesNotContain("The machine was busy");

        TextReport.print(
                new Report(
                        calm.startedAt(),
                        calm.elapsed(),
                        calm.inquiry(),
                        calm.server(),
                        busy,
                        calm.findings(),
                        calm.missing()),
                captured.plain());

        assertThat(captured.out())
                .contains("The machine was busy before the run began: load 9.50 with 2 processors.\n");
    }

    @Test
    void strategyThatFailedHasItsOtherFigures() {
        TextReport.print(report(REAL, failing(), measured("alpha", 1.1, 800)), captured.plain());

        assertThat(captured.out().lines())
                .contains("Do not take shaky: it failed in B6 (A lock was lost).")
                .anyMatch(line -> line.startsWith("shaky  200 µs"));
    }

    @Test
    void stoppedRunSaysWhatIsMissing() {
        TextReport.print(stopped(measured("alpha", 1.1, 800)), captured.plain());

        assertThat(captured.out().lines()).contains("The run did not end: without B6.");
    }
}
