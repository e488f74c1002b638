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
    private static final List<String> OF_BOTH = List.of(
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
    private static final List<String> SINCE_5_0 = List.of("stable-api", "hello", "events", "overload");

    private Corpus() {}

    static List<Scenario> scenarios() {
        List<Scenario> scenarios = new ArrayList<>();
        add(scenarios, "4.4", "/corpus/", OF_BOTH);
        add(scenarios, "5.0", "/corpus-5.0/", OF_BOTH);
        add(scenarios, "5.0", "/corpus-5.0/", SINCE_5_0);
        return scenarios;
    }

    private static void add(List<Scenario> scenarios, String version, String folder, List<String> files) {
        for (String file : files) {
            BsonDocument content = read(folder + file);
            boolean isStandalone = content.getDocument("recordedFrom")
                    .getString("topology")
                    .getValue()
                    .equals("standalone");
            for (BsonValue scenario : content.getArray("scenarios")) {
                BsonDocument document = scenario.asDocument();
                String name = document.getString("name").getValue();
                scenarios.add(new Scenario(version, file, name, isStandalone, steps(document)));
            }
        }
    }

    private static BsonDocument read(String file) {
        try (InputStream in = Corpus.class.getResourceAsStream(file + ".json")) {
            return BsonDocument.parse(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Step> steps(BsonDocument document) {
        List<Step> steps = new ArrayList<>();
        for (BsonValue step : document.getArray("steps")) {
            steps.add(step(step.asDocument()));
        }
        return steps;
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
