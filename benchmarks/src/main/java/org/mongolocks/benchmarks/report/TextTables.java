package org.mongolocks.benchmarks.report;

import static org.mongolocks.benchmarks.report.NumberFormat.decimal;
import static org.mongolocks.benchmarks.report.NumberFormat.millis;
import static org.mongolocks.benchmarks.report.NumberFormat.range;
import static org.mongolocks.benchmarks.report.NumberFormat.times;
import static org.mongolocks.benchmarks.report.NumberFormat.wholeMillis;

import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.measure.BaselineRatio;
import org.mongolocks.benchmarks.measure.CommandCosts;
import org.mongolocks.benchmarks.measure.ContentionResult;
import org.mongolocks.benchmarks.measure.Latency;
import org.mongolocks.benchmarks.measure.Measurements;
import org.mongolocks.benchmarks.measure.StrategyResult;
import org.mongolocks.benchmarks.measure.StrategyResult.Measured;
import org.mongolocks.benchmarks.measure.StrategyResult.Unmeasured;

/** Text tables of the measurements. */
final class TextTables {
    private TextTables() {}

    /** Returns the uncontended results, with the baseline first. */
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

    /** Returns the results of contending threads. */
    static TextTable contended(Measurements measurements) {
        TextTable table =
                new TextTable("strategy", "grants/s", "fairness", "longest wait ms", "commands/grant", "violations");
        measurements.strategies().forEach(strategy -> table.row(contended(strategy)));
        return table;
    }

    /** Returns the commands per grant for a growing number of waiters. */
    static TextTable crowds(Measurements measurements) {
        Stream<String> waiters =
                Measured.CROWDS.stream().map(number -> number + (number == 1 ? " waiter" : " waiters"));
        TextTable table =
                new TextTable(Stream.concat(Stream.of("strategy"), waiters).toArray(String[]::new));
        measurements.strategies().forEach(strategy -> table.row(crowds(strategy)));
        return table;
    }

    private static String[] crowds(StrategyResult strategy) {
        return strategy instanceof Measured measured ? crowds(measured) : remark((Unmeasured) strategy);
    }

    private static String[] crowds(Measured strategy) {
        if (!strategy.hasAllCrowds()) {
            return absent(strategy);
        }
        Stream<String> costs = strategy.crowds().values().stream().map(run -> decimal(1, run.commandsPerGrant()));
        return Stream.concat(Stream.of(strategy.name()), costs).toArray(String[]::new);
    }

    private static String[] alone(StrategyResult strategy) {
        return strategy instanceof Measured measured ? alone(measured) : remark((Unmeasured) strategy);
    }

    private static String[] alone(Measured strategy) {
        Latency latency = strategy.acquireRelease();
        BaselineRatio ratio = strategy.ratio();
        Stream<String> times = Stream.of(
                strategy.name(),
                millis(latency.p50Nanos()),
                millis(latency.p99Nanos()),
                times(ratio.median()),
                range(ratio));
        return Stream.concat(times, commands(strategy.costs())).toArray(String[]::new);
    }

    private static Stream<String> commands(CommandCosts costs) {
        return DoubleStream.of(
                        costs.acquireFree(),
                        costs.acquireReleased(),
                        costs.acquireHeld(),
                        costs.renew(),
                        costs.release())
                .mapToObj(NumberFormat::mean);
    }

    private static String[] contended(StrategyResult strategy) {
        return strategy instanceof Measured measured
                ? measured.contended().map(run -> contended(measured, run)).orElseGet(() -> absent(strategy))
                : remark((Unmeasured) strategy);
    }

    private static String[] contended(Measured strategy, ContentionResult contended) {
        return new String[] {
            strategy.name(),
            decimal(1, contended.grantsPerSecond()),
            times(contended.fairness()),
            wholeMillis(contended.longestWaitNanos()),
            decimal(1, contended.commandsPerGrant()),
            String.valueOf(strategy.violations())
        };
    }

    private static String[] absent(StrategyResult strategy) {
        return new String[] {strategy.name(), "not measured to the end"};
    }

    private static String[] remark(Unmeasured strategy) {
        return new String[] {strategy.name(), strategy.why().phrase()};
    }
}
