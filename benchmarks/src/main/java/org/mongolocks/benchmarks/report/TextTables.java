package org.mongolocks.benchmarks.report;

import static org.mongolocks.benchmarks.report.NumberFormat.decimal;
import static org.mongolocks.benchmarks.report.NumberFormat.millis;
import static org.mongolocks.benchmarks.report.NumberFormat.range;
import static org.mongolocks.benchmarks.report.NumberFormat.times;
import static org.mongolocks.benchmarks.report.NumberFormat.wholeMillis;

import java.util.Map;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Percentiles;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.RunSummary;
import org.mongolocks.benchmarks.result.StrategySummary;

/** Text tables of the summary of a run. */
final class TextTables {
    private TextTables() {}

    /** Returns the uncontended results, with the baseline first. */
    static TextTable uncontended(RunSummary summary) {
        TextTable table = new TextTable(
                "strategy",
                "p50 ms",
                "p99 ms",
                "x baseline",
                "middle half",
                "free",
                "released",
                "held",
                "renew",
                "release");
        Percentiles baseline =
                summary.baseline().flatMap(Measurement::percentiles).orElse(Percentiles.NONE);
        table.row("(baseline)", millis(baseline.p50()), millis(baseline.p99()), times(1), "two raw findAndModify");
        summary.strategies().forEach(strategy -> table.row(uncontended(strategy)));
        return table;
    }

    /** Returns the results of contending threads. */
    static TextTable contended(RunSummary summary) {
        TextTable table =
                new TextTable("strategy", "grants/s", "fairness", "longest wait ms", "commands/grant", "violations");
        summary.strategies()
                .forEach(strategy -> table.row(strategy.contendedFigures()
                        .map(figures -> contended(strategy, figures))
                        .orElseGet(() -> remark(strategy))));
        return table;
    }

    /** Returns the commands per grant for a growing number of waiters. */
    static TextTable commandsPerGrant(RunSummary summary) {
        Stream<String> waiters =
                StrategySummary.WAITERS.stream().map(number -> number + (number == 1 ? " waiter" : " waiters"));
        TextTable table =
                new TextTable(Stream.concat(Stream.of("strategy"), waiters).toArray(String[]::new));
        summary.strategies()
                .forEach(strategy ->
                        table.row(strategy.hasAllWaiters() ? commandsPerGrant(strategy) : remark(strategy)));
        return table;
    }

    private static String[] commandsPerGrant(StrategySummary strategy) {
        Stream<String> costs = strategy.contended().values().stream()
                .map(figures -> decimal(1, StrategySummary.figure(figures, StrategySummary.COMMANDS_PER_GRANT)));
        return Stream.concat(Stream.of(strategy.name()), costs).toArray(String[]::new);
    }

    private static String[] uncontended(StrategySummary strategy) {
        if (!strategy.isMeasured()) {
            return remark(strategy);
        }
        Percentiles latency =
                strategy.latency().flatMap(Measurement::percentiles).orElse(Percentiles.NONE);
        Stream<String> times = Stream.of(
                strategy.name(),
                millis(latency.p50()),
                millis(latency.p99()),
                times(strategy.figure(StrategySummary.RATIO)),
                range(strategy.figure(StrategySummary.RATIO_LOWER), strategy.figure(StrategySummary.RATIO_UPPER)));
        Stream<String> commands =
                StrategySummary.COMMANDS.stream().map(metric -> NumberFormat.mean(strategy.figure(metric)));
        return Stream.concat(times, commands).toArray(String[]::new);
    }

    private static String[] contended(StrategySummary strategy, Map<Metric, Double> figures) {
        return new String[] {
            strategy.name(),
            decimal(1, StrategySummary.figure(figures, StrategySummary.GRANTS_PER_SECOND)),
            times(StrategySummary.figure(figures, StrategySummary.FAIRNESS)),
            wholeMillis((long) StrategySummary.figure(figures, StrategySummary.LONGEST_WAIT)),
            decimal(1, StrategySummary.figure(figures, StrategySummary.COMMANDS_PER_GRANT)),
            String.valueOf(strategy.violations())
        };
    }

    private static String[] remark(StrategySummary strategy) {
        String why =
                strategy.obstacle().map(obstacle -> obstacle.why().phrase()).orElse("not measured to the end");
        return new String[] {strategy.name(), why};
    }
}
