package org.mongolocks.doctor;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
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
        BsonDocument report = new BsonDocument("format", new BsonInt32(FORMAT))
                .append("startedAt", text(diagnosis.startedAt().toString()))
                .append("topology", text(diagnosis.topology()))
                .append("holds", BsonBoolean.valueOf(diagnosis.holds()))
                .append("checks", array(diagnosis.findings().stream().map(JsonReport::check)))
                .append("usable", texts(diagnosis.usable()))
                .append("strategies", array(diagnosis.strategies().stream().map(JsonReport::strategy)))
                .append("advice", texts(diagnosis.advice()));
        return Json.indented(report) + "\n";
    }

    private static BsonDocument check(CheckResult finding) {
        return new BsonDocument("id", text(finding.id()))
                .append("status", name(finding.status()))
                .append("seen", text(finding.seen()))
                .append("promises", names(finding.promises()))
                .append("strategies", texts(List.copyOf(finding.strategies())))
                .append("advice", texts(finding.advice()));
    }

    private static BsonDocument strategy(Verdict verdict) {
        return new BsonDocument("name", text(verdict.strategy()))
                .append("usable", BsonBoolean.valueOf(verdict.isUsable()))
                .append(
                        "promises",
                        array(verdict.promises().entrySet().stream().map(promise -> promise(verdict, promise))));
    }

    private static BsonDocument promise(Verdict verdict, Map.Entry<Promise, List<CheckResult>> promise) {
        Stream<String> because =
                promise.getValue().stream().map(CheckResult::id).distinct();
        return new BsonDocument("promise", name(promise.getKey()))
                .append("sentence", text(promise.getKey().sentence()))
                .append("status", name(verdict.of(promise.getKey())))
                .append("because", texts(because.toList()));
    }

    private static BsonArray names(Set<Promise> promises) {
        return promises.stream().sorted().map(JsonReport::name).collect(Collectors.toCollection(BsonArray::new));
    }

    private static BsonString name(Enum<?> value) {
        return text(value.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    private static BsonArray array(Stream<BsonDocument> documents) {
        return documents.collect(Collectors.toCollection(BsonArray::new));
    }

    private static BsonArray texts(List<String> texts) {
        return texts.stream().map(JsonReport::text).collect(Collectors.toCollection(BsonArray::new));
    }

    private static BsonString text(String text) {
        return new BsonString(text);
    }
}
