package org.mongolocks.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.benchmarks.report.Samples.EMBEDDED;
import static org.mongolocks.benchmarks.report.Samples.REAL;
import static org.mongolocks.benchmarks.report.Samples.failing;
import static org.mongolocks.benchmarks.report.Samples.measured;
import static org.mongolocks.benchmarks.report.Samples.report;
import static org.mongolocks.benchmarks.report.Samples.reportOfB1;
import static org.mongolocks.benchmarks.report.Samples.uncontended;
import static org.mongolocks.benchmarks.report.Samples.unmeasured;
import static org.mongolocks.spi.LockStrategy.Trait.STRICT_FENCING;

import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.MeasurementStatus.Why;

class TextReportTest {
    private final CapturedConsole captured = new CapturedConsole();

    @Test
    void theTablesShowEveryFigure() {
        TextReport.print(report(REAL, measured("alpha", 1.1, 800, STRICT_FENCING)), captured.plain());

        assertThat(captured.out().lines())
                .contains(
                        "strategy    p50 ms  p99 ms  x baseline  middle half  free  released  held  renew  release",
                        "(baseline)   0.400   0.900        1.00  two raw findAndModify",
                        "alpha        0.440   2.000        1.10    1.05-1.15     1         2     2      1      1.5",
                        "strategy  grants/s  fairness  longest wait ms  commands/grant  violations",
                        "alpha        400.0      0.99              215             3.3           0");
        assertThat(captured.err()).isEmpty();
    }

    @Test
    void theServerComesFirstAndIsBoldOnATerminal() {
        TextReport.print(report(EMBEDDED, measured("alpha", 1.1, 800)), captured.terminal());

        assertThat(captured.out()).startsWith("\u001b[1mServer: embedded (MongoDB 4.4.0 semantics");
    }

    @Test
    void aStrategyThatTheServerCannotRunIsListedWithTheReason() {
        TextReport.print(
                report(REAL, unmeasured("beta", Why.NEEDS_REPLICA_SET, "Strategy 'beta' needs transactions")),
                captured.plain());

        assertThat(captured.out().lines())
                .contains("beta      needs a replica set", "beta: Strategy 'beta' needs transactions");
    }

    @Test
    void aRestlessMachineIsCalledNoisy() {
        double restless = 0.31;

        TextReport.print(report(REAL, restless, measured("alpha", 1.1, 800)), captured.plain());

        assertThat(captured.out()).contains("Noisy: the baseline drifted by 31 % during the run");
    }

    @Test
    void aStrategyThatFailedUnderContentionHasItsOtherFigures() {
        TextReport.print(report(REAL, failing(), measured("alpha", 1.1, 800)), captured.plain());

        assertThat(captured.out().lines())
                .contains("shaky     not measured to the end")
                .anyMatch(line -> line.startsWith("shaky        0.200 "));
    }

    @Test
    void benchmarkThatDidNotRunHasNoTable() {
        TextReport.print(reportOfB1(uncontended("alpha", 1.1)), captured.plain());

        assertThat(captured.out()).contains("One thread, one free lock").doesNotContain("9 threads", "waiters");
    }

    @Test
    void recommendationIsTheLastLine() {
        TextReport.print(report(REAL, measured("alpha", 1.1, 800)), captured.plain());

        assertThat(captured.out().lines().toList()).last().asString().startsWith("Advice: alpha: ");
    }
}
