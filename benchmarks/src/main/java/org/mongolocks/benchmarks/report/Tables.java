package org.mongolocks.benchmarks.report;

import static org.mongolocks.benchmarks.report.Figures.decimal;
import static org.mongolocks.benchmarks.report.Figures.mean;
import static org.mongolocks.benchmarks.report.Figures.millis;
import static org.mongolocks.benchmarks.report.Figures.range;
import static org.mongolocks.benchmarks.report.Figures.times;
import static org.mongolocks.benchmarks.report.Figures.wholeMillis;

import org.mongolocks.benchmarks.measure.CommandCosts;
import org.mongolocks.benchmarks.measure.Contended;
import org.mongolocks.benchmarks.measure.Latency;
import org.mongolocks.benchmarks.measure.Measurements;
import org.mongolocks.benchmarks.measure.StrategyResult;
import org.mongolocks.benchmarks.measure.StrategyResult.Measured;
import org.mongolocks.benchmarks.measure.StrategyResult.Unmeasured;

/** Lays out measurements as tables. */
final class Tables {
    private Tables() {}

    /** Lays out what one thread alone found, and first the floor. */
    static TextTable alone(Measurements measurements) {
        TextTable table = new TextTable(
                "strategy",
                "p50 ms",
                "p99 ms",
                "x floor",
                "middle half",
                "free",
                "released",
                "held",
                "renew",
                "release");
        Latency floor = measurements.floor().latency();
        table.row("(floor)", millis(floor.p50Nanos()), millis(floor.p99Nanos()), times(1), "two raw findAndModify");
        measurements.strategies().forEach(strategy -> table.row(alone(strategy)));
        return table;
    }

    /** Lays out what threads that contended found. */
    static TextTable contended(Measurements measurements) {
        TextTable table = new TextTable(
                "strategy", "grants/s", "fairness", "longest wait ms", "commands/grant", "errors", "violations");
        measurements.strategies().forEach(strategy -> table.row(contended(strategy)));
        return table;
    }

    private static String[] alone(StrategyResult strategy) {
        if (strategy instanceof Unmeasured unmeasured) {
            return remark(unmeasured);
        }
        Measured measured = (Measured) strategy;
        Latency latency = measured.acquireRelease();
        CommandCosts costs = measured.costs();
        return new String[] {
            measured.name(),
            millis(latency.p50Nanos()),
            millis(latency.p99Nanos()),
            times(measured.ratio().median()),
            range(measured.ratio()),
            mean(costs.acquireFree()),
            mean(costs.acquireReleased()),
            mean(costs.acquireHeld()),
            mean(costs.renew()),
            mean(costs.release())
        };
    }

    private static String[] contended(StrategyResult strategy) {
        if (strategy instanceof Unmeasured unmeasured) {
            return remark(unmeasured);
        }
        Measured measured = (Measured) strategy;
        Contended contended = measured.contended();
        return new String[] {
            measured.name(),
            decimal(1, contended.grantsPerSecond()),
            times(contended.fairness()),
            wholeMillis(contended.longestWaitNanos()),
            decimal(1, contended.commandsPerGrant()),
            String.valueOf(contended.errors().size()),
            String.valueOf(measured.violations())
        };
    }

    private static String[] remark(Unmeasured unmeasured) {
        return new String[] {unmeasured.name(), unmeasured.why().phrase()};
    }
}
