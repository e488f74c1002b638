package org.mongolocks.embedded.corpus;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Reads the recorded scenarios. */
final class Corpus {
    private static final List<String> FILES = List.of(
            "crud",
            "find-and-modify",
            "pipeline-expressions",
            "indexes",
            "ttl",
            "lock-protocols",
            "transactions",
            "retryable-writes",
            "change-streams",
            "fail-points",
            "handshake",
            "standalone");

    private Corpus() {}

    static List<Scenario> scenarios() {
        List<Scenario> scenarios = new ArrayList<>();
        for (String file : FILES) {
            BsonDocument content = read(file);
            boolean isStandalone = content.getDocument("recordedFrom")
                    .getString("topology")
                    .getValue()
                    .equals("standalone");
            for (BsonValue scenario : content.getArray("scenarios")) {
                scenarios.add(scenario(file, isStandalone, scenario.asDocument()));
            }
        }
        return scenarios;
    }

    private static BsonDocument read(String file) {
        try (InputStream in = Corpus.class.getResourceAsStream("/corpus/" + file + ".json")) {
            return BsonDocument.parse(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Scenario scenario(String file, boolean isStandalone, BsonDocument document) {
        List<Step> steps = new ArrayList<>();
        for (BsonValue step : document.getArray("steps")) {
            steps.add(step(step.asDocument()));
        }
        return new Scenario(file, document.getString("name").getValue(), isStandalone, steps);
    }

    private static Step step(BsonDocument step) {
        return new Step(
                step.getString("conn", new BsonString("c1")).getValue(),
                step.getString("db", new BsonString("corpus")).getValue(),
                step.containsKey("command") ? step.getDocument("command") : null,
                step.getDocument("reply", new BsonDocument()),
                step.getNumber("sleepMs", new BsonInt32(0)).longValue());
    }
}
