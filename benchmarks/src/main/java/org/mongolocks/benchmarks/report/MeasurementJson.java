package org.mongolocks.benchmarks.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Estimate.Interval;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Percentiles;
import org.mongolocks.benchmarks.result.Measurement.Ratio;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.result.PairedDifference;
import org.mongolocks.benchmarks.result.RunResults;
import org.mongolocks.benchmarks.result.RunResults.BaselineDrift;
import org.mongolocks.reporting.Json;

/** The JSON form of measurements and contenders. Absent values are omitted. */
public final class MeasurementJson {
    private static final MathContext RATIO = new MathContext(6);

    private MeasurementJson() {}

    /** Returns a document with measurements only. */
    public static String document(List<Measurement> measurements) {
        return Json.indented(
                new Document("format", ResultsJson.FORMAT).append("measurements", documents(measurements)));
    }

    static List<Document> documents(List<Measurement> measurements) {
        return measurements.stream().map(MeasurementJson::measurement).toList();
    }

    static List<Document> contenders(RunResults findings) {
        return findings.contenders().stream().map(MeasurementJson::contender).toList();
    }

    static List<Document> differences(RunResults findings) {
        return findings.differences().stream().map(MeasurementJson::difference).toList();
    }

    static List<Document> noise(RunResults findings) {
        return findings.noise().stream().map(MeasurementJson::drift).toList();
    }

    private static Document difference(PairedDifference difference) {
        MeasurementKey first = difference.first();
        Document document = new Document("benchmark", first.benchmark())
                .append("metric", difference.metric())
                .append("client", first.client().id())
                .append("parameters", new Document(first.parameters()))
                .append("first", first.contender())
                .append("second", difference.second())
                .append("ratio", significant(difference.ratio().value()));
        difference
                .ratio()
                .interval()
                .ifPresent(ends ->
                        document.append("low", significant(ends.low())).append("high", significant(ends.high())));
        return document.append("rounds", difference.ratio().repetitions());
    }

    /** Rounds a ratio, which may be small but not zero. */
    private static double significant(double ratio) {
        return new BigDecimal(ratio).round(RATIO).doubleValue();
    }

    private static Document drift(BaselineDrift drift) {
        return new Document("benchmark", drift.benchmark())
                .append("floor", drift.baseline())
                .append("client", drift.client().id())
                .append("drift", ResultsJson.rounded(drift.value()));
    }

    private static Document measurement(Measurement measurement) {
        MeasurementKey subject = measurement.subject();
        Document document = new Document("benchmark", subject.benchmark())
                .append("metric", measurement.metric().name())
                .append("contender", subject.contender())
                .append("client", subject.client().id())
                .append("parameters", new Document(subject.parameters()))
                .append("unit", measurement.metric().unit());
        append(measurement.value(), document);
        document.append("samples", measurement.samples())
                .append("repetitions", measurement.value().repetitions());
        measurement.percentiles().ifPresent(latencies -> document.append("percentiles", percentiles(latencies)));
        measurement.ratio().ifPresent(ratio -> document.append("ratio", ratio(ratio)));
        return document;
    }

    private static Document percentiles(Percentiles latencies) {
        return new Document("50", latencies.p50())
                .append("90", latencies.p90())
                .append("99", latencies.p99())
                .append("99.9", latencies.p999())
                .append("max", latencies.max());
    }

    private static Document ratio(Ratio ratio) {
        Document document = new Document("to", ratio.to());
        append(ratio.times(), document);
        return document;
    }

    private static void append(Estimate estimate, Document document) {
        document.append("value", ResultsJson.rounded(estimate.value()));
        Optional<Interval> interval = estimate.interval();
        interval.ifPresent(ends -> document.append("low", ResultsJson.rounded(ends.low()))
                .append("high", ResultsJson.rounded(ends.high())));
    }

    private static Document contender(LockUnderTest contender) {
        Properties properties = contender.properties();
        Document document = new Document("id", contender.id())
                .append("kind", contender.kind().id())
                .append("title", contender.title())
                .append("durability", properties.durability())
                .append("fencing", properties.fencing())
                .append("ownerCheck", properties.ownerCheck())
                .append("clock", properties.clock())
                .append("waiting", properties.waiting())
                .append("retrySafe", properties.retrySafe());
        if (contender.kind() == Kind.STRATEGY) {
            document.append("traits", contender.traits());
        }
        return withVerdict(contender.verdict(), document);
    }

    private static Document withVerdict(MeasurementStatus verdict, Document document) {
        document.append("status", verdict.status().id());
        verdict.reason().ifPresent(reason -> document.append("reason", reason));
        List<Document> failures = verdict.failures().stream()
                .map(failure -> new Document("benchmark", failure.benchmark()).append("reason", failure.reason()))
                .toList();
        return failures.isEmpty() ? document : document.append("failures", failures);
    }
}
