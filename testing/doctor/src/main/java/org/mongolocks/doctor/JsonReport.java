package org.mongolocks.doctor;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.bson.Document;
import org.mongolocks.doctor.Diagnosis.Verdict;
import org.mongolocks.doctor.check.CheckResult;
import org.mongolocks.doctor.check.Promise;
import org.mongolocks.reporting.Json;

/** A diagnosis as JSON, as {@code docs/doctor.schema.json} requires it. */
final class JsonReport {
    /** Incremented when a field changes its meaning or is removed. */
    private static final int FORMAT = 1;

    private JsonReport() {}

    static String of(Diagnosis diagnosis) {
        return Json.indented(new Document("format", FORMAT)
                        .append("startedAt", diagnosis.startedAt().toString())
                        .append("topology", diagnosis.topology())
                        .append("holds", diagnosis.holds())
                        .append(
                                "checks",
                                diagnosis.findings().stream()
                                        .map(JsonReport::check)
                                        .toList())
                        .append("usable", diagnosis.usable())
                        .append(
                                "strategies",
                                diagnosis.strategies().stream()
                                        .map(JsonReport::strategy)
                                        .toList())
                        .append("advice", diagnosis.advice()))
                + "\n";
    }

    private static Document check(CheckResult finding) {
        return new Document("id", finding.id())
                .append("status", name(finding.status()))
                .append("seen", finding.seen())
                .append(
                        "promises",
                        finding.promises().stream()
                                .sorted()
                                .map(JsonReport::name)
                                .toList())
                .append("strategies", List.copyOf(finding.strategies()))
                .append("advice", finding.advice());
    }

    private static Document strategy(Verdict verdict) {
        return new Document("name", verdict.strategy())
                .append("usable", verdict.isUsable())
                .append(
                        "promises",
                        verdict.promises().entrySet().stream()
                                .map(promise -> promise(verdict, promise))
                                .toList());
    }

    private static Document promise(Verdict verdict, Map.Entry<Promise, List<CheckResult>> promise) {
        return new Document("promise", name(promise.getKey()))
                .append("sentence", promise.getKey().sentence())
                .append("status", name(verdict.of(promise.getKey())))
                .append(
                        "because",
                        promise.getValue().stream()
                                .map(CheckResult::id)
                                .distinct()
                                .toList());
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
