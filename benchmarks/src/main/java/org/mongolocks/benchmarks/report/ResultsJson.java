package org.mongolocks.benchmarks.report;

import java.util.List;
import org.bson.Document;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.mongolocks.benchmarks.measure.BaselineRatio;
import org.mongolocks.benchmarks.measure.BaselineResult;
import org.mongolocks.benchmarks.measure.CommandCosts;
import org.mongolocks.benchmarks.measure.ContentionResult;
import org.mongolocks.benchmarks.measure.Latency;
import org.mongolocks.benchmarks.measure.StrategyResult;
import org.mongolocks.benchmarks.measure.StrategyResult.Measured;
import org.mongolocks.benchmarks.measure.StrategyResult.Unmeasured;
import org.mongolocks.benchmarks.measure.Violations;
import org.mongolocks.benchmarks.result.RunLength;
import org.mongolocks.benchmarks.server.ServerDescription;
import org.mongolocks.spi.Trait;

/** Writes a report as JSON in the format of {@code docs/results.schema.json}. */
public final class ResultsJson {
    /** The format version. It changes with every incompatible change of the document. */
    static final int FORMAT = 2;

    static final JsonWriterSettings SETTINGS = JsonWriterSettings.builder()
            .outputMode(JsonMode.RELAXED)
            .indent(true)
            .build();

    private ResultsJson() {}

    /** Returns the document. */
    public static String of(Report report) {
        return new Document("format", FORMAT)
                .append("startedAt", report.startedAt().toString())
                .append("elapsedSeconds", rounded(report.elapsed().toMillis() / 1e3))
                .append("quick", report.inquiry().mode() == RunLength.QUICK)
                .append("mode", report.inquiry().mode().id())
                .append("only", report.inquiry().only())
                .append("command", report.inquiry().command())
                .append("server", server(report.server()))
                .append("machine", machine(report.machine()))
                .append("floor", floor(report.measurements().floor()))
                .append("strategies", strategies(report))
                .append("contenders", MeasurementJson.contenders(report.findings()))
                .append(
                        "measurements",
                        MeasurementJson.documents(report.findings().measurements()))
                .append("noise", MeasurementJson.noise(report.findings()))
                .append("remarks", report.findings().remarks())
                .append("advice", Recommendation.on(report))
                .toJson(SETTINGS);
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

    private static Document floor(BaselineResult floor) {
        return latency(floor.latency()).append("drift", rounded(floor.drift())).append("noisy", floor.isNoisy());
    }

    private static List<Document> strategies(Report report) {
        return report.measurements().strategies().stream()
                .map(strategy ->
                        strategy instanceof Measured measured ? measured(measured) : unmeasured((Unmeasured) strategy))
                .toList();
    }

    private static Document unmeasured(Unmeasured strategy) {
        return head(strategy, strategy.why().id())
                .append("reason", strategy.reason())
                .append("violations", null)
                .append("ratioToFloor", null);
    }

    private static Document measured(Measured strategy) {
        BaselineRatio ratio = strategy.ratio();
        Document document = head(strategy, "measured")
                .append("violations", strategy.violations())
                .append("ratioToFloor", rounded(ratio.median()))
                .append("ratioLowerQuartile", rounded(ratio.lower()))
                .append("ratioUpperQuartile", rounded(ratio.upper()))
                .append("floorDrift", rounded(ratio.drift()))
                .append("noisy", ratio.isNoisy())
                .append("acquireRelease", latency(strategy.acquireRelease()))
                .append("commands", commands(strategy.costs()))
                .append("grantsWhileHeld", strategy.grantsWhileHeld());
        strategy.contended().ifPresent(run -> document.append("contended", contended(run)));
        return strategy.hasAllCrowds() ? document.append("commandsPerGrant", commandsPerGrant(strategy)) : document;
    }

    private static Document head(StrategyResult strategy, String status) {
        return new Document("name", strategy.name())
                .append("status", status)
                .append(
                        "traits",
                        strategy.traits().stream().sorted().map(Trait::name).toList());
    }

    private static Document latency(Latency latency) {
        return new Document("p50Nanos", latency.p50Nanos())
                .append("p99Nanos", latency.p99Nanos())
                .append("samples", latency.samples());
    }

    private static Document commands(CommandCosts costs) {
        return new Document("acquireFree", rounded(costs.acquireFree()))
                .append("acquireReleased", rounded(costs.acquireReleased()))
                .append("acquireHeld", rounded(costs.acquireHeld()))
                .append("renew", rounded(costs.renew()))
                .append("release", rounded(costs.release()));
    }

    private static Document contended(ContentionResult contended) {
        return new Document("threads", contended.threads())
                .append("seconds", rounded(contended.seconds()))
                .append("grants", contended.grants())
                .append("grantsPerSecond", rounded(contended.grantsPerSecond()))
                .append("fairness", rounded(contended.fairness()))
                .append("longestWaitNanos", contended.longestWaitNanos())
                .append("commandsPerGrant", rounded(contended.commandsPerGrant()))
                .append("violations", violations(contended.violations()));
    }

    private static Document commandsPerGrant(Measured strategy) {
        Document costs = new Document();
        strategy.crowds()
                .forEach((waiters, run) -> costs.append(String.valueOf(waiters), rounded(run.commandsPerGrant())));
        return costs;
    }

    private static Document violations(Violations violations) {
        return new Document("notAlone", violations.notAlone())
                .append("unorderedTokens", violations.unorderedTokens())
                .append("lostUpdates", violations.lostUpdates());
    }

    static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }
}
