package org.mongolocks.benchmarks.report;

import java.util.Map;
import java.util.stream.Stream;
import org.bson.Document;
import org.mongolocks.benchmarks.report.Report.Machine;
import org.mongolocks.benchmarks.report.choice.Answer;
import org.mongolocks.benchmarks.report.choice.Choice;
import org.mongolocks.benchmarks.report.choice.Criterion;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Percentiles;
import org.mongolocks.benchmarks.result.MeasurementStatus.Obstacle;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.RunSummary;
import org.mongolocks.benchmarks.result.StrategySummary;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.server.ServerDescription;
import org.mongolocks.reporting.Json;

/**
 * Writes a report as JSON in the format of {@code docs/results.schema.json}. The format has the word "floor" for a
 * baseline: in the fields {@code floor}, {@code ratioToFloor} and {@code floorDrift}, in the kind {@code floor}, and in the
 * ids of baselines such as {@code floor-ping}. Nothing else uses it.
 */
public final class ResultsJson {
    /** The format version. It changes with every incompatible change of the document. */
    static final int FORMAT = 3;

    private ResultsJson() {}

    /** Returns the document. */
    public static String of(Report report) {
        RunSummary summary = report.summary();
        Choice choice = report.choice();
        Document document = new Document("format", FORMAT)
                .append("startedAt", report.startedAt().toString())
                .append("elapsedSeconds", rounded(report.elapsed().toMillis() / 1e3))
                .append("quick", report.inquiry().mode() == RunLength.QUICK)
                .append("mode", report.inquiry().mode().id())
                .append("only", report.inquiry().only())
                .append("minutes", rounded(report.inquiry().minutes()))
                .append("command", report.inquiry().command())
                .append("server", server(report.server()))
                .append("machine", machine(report.machine()))
                .append("floor", baseline(summary))
                .append(
                        "strategies",
                        summary.strategies().stream().map(ResultsJson::strategy).toList())
                .append("contenders", MeasurementJson.contenders(report.findings()))
                .append(
                        "measurements",
                        MeasurementJson.documents(report.findings().measurements()))
                .append("differences", MeasurementJson.differences(report.findings()))
                .append("noise", MeasurementJson.noise(report.findings()))
                .append("remarks", report.findings().remarks())
                .append("advice", choice.advice())
                .append("choice", choice.strategy().orElse(null))
                .append(
                        "answers",
                        choice.answers().stream().map(ResultsJson::answer).toList());
        return Json.indented(report.missing().isEmpty() ? document : document.append("missing", report.missing()));
    }

    private static Document answer(Answer answer) {
        Criterion criterion = answer.need().criterion();
        return new Document("need", answer.need().title())
                .append("client", answer.client().id())
                .append("benchmark", criterion.benchmark())
                .append("metric", criterion.metric())
                .append("leaders", answer.leaders())
                .append("open", answer.open())
                .append("take", answer.take().orElse(null))
                .append("why", answer.why());
    }

    private static Document server(ServerDescription server) {
        return new Document("kind", server.kind().id())
                .append("version", server.version())
                .append("topology", server.topology().id())
                .append("members", server.hosts().size())
                .append("majorityLagMillis", server.majorityLag().toMillis());
    }

    private static Document machine(Machine machine) {
        return new Document("cpus", machine.cpus())
                .append("os", machine.os())
                .append("jvm", machine.jvm())
                .append("loadAverage", rounded(machine.loadAverage()))
                .append("memoryBytes", machine.memoryBytes());
    }

    private static Document baseline(RunSummary summary) {
        Document latency = summary.baseline().map(ResultsJson::latency).orElseGet(() -> latency(Percentiles.NONE, 0));
        return latency.append("drift", rounded(summary.drift())).append("noisy", summary.isNoisy());
    }

    private static Document strategy(StrategySummary strategy) {
        return strategy.latency()
                .filter(latency -> strategy.isMeasured())
                .map(latency -> measured(strategy, latency))
                .orElseGet(() -> unmeasured(strategy, strategy.obstacle().orElseThrow()));
    }

    private static Document unmeasured(StrategySummary strategy, Obstacle obstacle) {
        return head(strategy, obstacle.why().id())
                .append("reason", obstacle.reason())
                .append("violations", null)
                .append("ratioToFloor", null);
    }

    private static Document measured(StrategySummary strategy, Measurement latency) {
        Document document = head(strategy, "measured").append("violations", strategy.violations());
        Stream.of(
                        StrategySummary.RATIO,
                        StrategySummary.RATIO_LOWER,
                        StrategySummary.RATIO_UPPER,
                        StrategySummary.DRIFT)
                .forEach(metric -> document.append(metric.name(), rounded(strategy.figure(metric))));
        Document commands = new Document();
        StrategySummary.COMMANDS.forEach(metric -> commands.append(metric.name(), rounded(strategy.figure(metric))));
        document.append("noisy", strategy.figure(StrategySummary.DRIFT) > RunSummary.NOISY)
                .append("acquireRelease", latency(latency))
                .append("commands", commands);
        Document work = serverWork(strategy);
        if (!work.isEmpty()) {
            document.append("serverWork", work);
        }
        document.append(
                StrategySummary.GRANTS_WHILE_HELD.name(), (long) strategy.figure(StrategySummary.GRANTS_WHILE_HELD));
        strategy.contendedFigures().ifPresent(figures -> document.append("contended", contended(figures)));
        return strategy.hasAllWaiters() ? document.append("commandsPerGrant", commandsPerGrant(strategy)) : document;
    }

    /** Returns the work for each operation; empty if the server does not count it. */
    private static Document serverWork(StrategySummary strategy) {
        Document work = new Document();
        for (Metric commands : StrategySummary.COMMANDS) {
            Double planned = strategy.uncontended().get(StrategySummary.PLANNED.apply(commands));
            Double evaluated = strategy.uncontended().get(StrategySummary.EVALUATED.apply(commands));
            if (planned != null && evaluated != null) {
                work.append(
                        commands.name(),
                        new Document("plannedQueries", rounded(planned))
                                .append("evaluatedExpressions", rounded(evaluated)));
            }
        }
        return work;
    }

    private static Document head(StrategySummary strategy, String status) {
        return new Document("name", strategy.name())
                .append("status", status)
                .append("traits", strategy.strategy().traits());
    }

    private static Document latency(Measurement latency) {
        return latency(latency.percentiles().orElse(Percentiles.NONE), latency.samples());
    }

    private static Document latency(Percentiles nanos, long samples) {
        return new Document("p50Nanos", nanos.p50())
                .append("p99Nanos", nanos.p99())
                .append("samples", samples);
    }

    private static Document contended(Map<Metric, Double> figures) {
        Document violations = new Document();
        StrategySummary.VIOLATIONS.forEach(metric -> violations.append(metric.name(), count(figures, metric)));
        return new Document("threads", count(figures, StrategySummary.THREADS))
                .append("seconds", rounded(StrategySummary.figure(figures, StrategySummary.SECONDS)))
                .append("grants", count(figures, StrategySummary.GRANTS))
                .append("grantsPerSecond", rounded(StrategySummary.figure(figures, StrategySummary.GRANTS_PER_SECOND)))
                .append("fairness", rounded(StrategySummary.figure(figures, StrategySummary.FAIRNESS)))
                .append("longestWaitNanos", count(figures, StrategySummary.LONGEST_WAIT))
                .append(
                        "commandsPerGrant",
                        rounded(StrategySummary.figure(figures, StrategySummary.COMMANDS_PER_GRANT)))
                .append("violations", violations);
    }

    private static long count(Map<Metric, Double> figures, Metric metric) {
        return (long) StrategySummary.figure(figures, metric);
    }

    private static Document commandsPerGrant(StrategySummary strategy) {
        Document costs = new Document();
        strategy.contended()
                .forEach((waiters, figures) -> costs.append(
                        String.valueOf(waiters),
                        rounded(StrategySummary.figure(figures, StrategySummary.COMMANDS_PER_GRANT))));
        return costs;
    }

    static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }
}
