package org.mongolocks.embedded.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.mongolocks.embedded.EngineSnapshot;
import org.mongolocks.embedded.support.Answer;
import org.mongolocks.embedded.support.TestEngine;

/** The same commands at the same times have the same answers and leave the same behind, to the letter. The seed is printed. */
class DeterminismTest {
    private static final int COMMANDS = 300;

    private final long seed = Long.getLong("fuzz.seed", System.nanoTime());
    private final List<BsonDocument> commands = Corpus.scenarios().stream()
            .flatMap(scenario -> scenario.steps().stream())
            .map(Step::command)
            .filter(Objects::nonNull)
            .toList();

    @Test
    void twoEnginesAnswerAlike() {
        System.out.println("fuzz.seed=" + seed);
        for (long run = seed; run < seed + 5; run++) {
            assertThat(transcript(TestEngine.create(), run))
                    .as("seed %d", run)
                    .isEqualTo(transcript(TestEngine.create(), run));
        }
    }

    @Test
    void anEngineThatGoesBackAnswersAsAnotherThatGoesBack() {
        System.out.println("fuzz.seed=" + seed);
        for (long run = seed; run < seed + 5; run++) {
            assertThat(thereAndBack(run)).as("seed %d", run).isEqualTo(thereAndBack(run));
        }
    }

    @Test
    void restoredSnapshotHasTheStoredDocuments() {
        System.out.println("fuzz.seed=" + seed);
        for (long run = seed; run < seed + 5; run++) {
            TestEngine engine = TestEngine.create();
            transcript(engine, run);
            EngineSnapshot snapshot = engine.snapshot();
            List<String> stored = stored(engine);
            transcript(engine, ~run);

            engine.engine().restore(snapshot);

            assertThat(stored(engine)).as("seed %d", run).isEqualTo(stored);
        }
    }

    /** Since 8.0 a majority acknowledges what it has written and not yet applied, of which a reader on the primary sees nothing. */
    @Test
    void sinceSeveralVersionsAnswersDifferInNamesOnly() {
        System.out.println("fuzz.seed=" + seed);
        for (long run = seed; run < seed + 5; run++) {
            assertThat(transcript(ofVersion("8.0"), run).stream().map(DeterminismTest::withoutNames))
                    .as("seed %d", run)
                    .containsExactlyElementsOf(transcript(ofVersion("7.0"), run).stream()
                            .map(DeterminismTest::withoutNames)
                            .toList())
                    .containsExactlyElementsOf(transcript(ofVersion("9.0"), run).stream()
                            .map(DeterminismTest::withoutNames)
                            .toList());
        }
    }

    private static TestEngine ofVersion(String version) {
        return TestEngine.create(builder -> builder.version(version));
    }

    private static String withoutNames(String answer) {
        return answer.replaceAll("\"codeName\": \"\\w+\"|\"maxWireVersion\": \\d+|\"version\": \"[0-9.]+\"", "")
                .replaceAll("\"versionArray\": \\[\\d+, \\d+", "");
    }

    private List<String> thereAndBack(long run) {
        TestEngine engine = TestEngine.create();
        List<String> transcript = transcript(engine, run);
        EngineSnapshot snapshot = engine.snapshot();
        transcript.addAll(transcript(engine, ~run));
        engine.engine().restore(snapshot);
        transcript.addAll(transcript(engine, ~run));
        return transcript;
    }

    private List<String> transcript(TestEngine engine, long run) {
        Random random = new Random(run);
        Mutator mutator = new Mutator(random, commands);
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < COMMANDS; i++) {
            BsonDocument command = commands.get(random.nextInt(commands.size())).clone();
            if (command.get("getMore") instanceof BsonString) {
                command.put("getMore", new BsonInt64(random.nextLong()));
            }
            BsonDocument sent = random.nextInt(3) == 0 ? mutator.mutated(command) : command;
            answers.add(engine.submit("c" + random.nextInt(3), random.nextInt(5) == 0 ? "admin" : "corpus", sent));
            if (random.nextInt(10) == 0) {
                engine.advance(Duration.ofMillis(random.nextInt(5_000)));
            }
        }
        List<String> transcript =
                new ArrayList<>(answers.stream().map(DeterminismTest::text).toList());
        transcript.addAll(stored(engine));
        return transcript;
    }

    private static String text(Answer answer) {
        if (answer.isPending()) {
            return "pending";
        }
        return answer.isClosed() ? "closed" : answer.reply().toJson();
    }

    private static List<String> stored(TestEngine engine) {
        engine.submit("reader", "admin", BsonDocument.parse("{configureFailPoint: 'failCommand', mode: 'off'}"));
        List<String> stored = new ArrayList<>();
        for (String collection : List.of("locks", "res", "fences", "ttl", "newcoll")) {
            for (String command : List.of("find", "listIndexes")) {
                BsonDocument asked = new BsonDocument(command, new BsonString(collection));
                BsonDocument reply = engine.submit("reader", "corpus", asked).reply();
                stored.add(String.valueOf(reply.get("cursor", reply.get("errmsg"))));
            }
        }
        return stored;
    }
}
