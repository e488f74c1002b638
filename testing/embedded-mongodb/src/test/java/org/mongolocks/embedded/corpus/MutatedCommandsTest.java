package org.mongolocks.embedded.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.code;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.mongolocks.embedded.support.Answer;
import org.mongolocks.embedded.support.TestEngine;

/** Commands that are almost right: each gets an answer, never that of a fault of the server. The seed is printed. */
class MutatedCommandsTest {
    private static final int ROUNDS = 150;
    private static final int COMMANDS = 100;

    private final long seed = Long.getLong("fuzz.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final List<BsonDocument> commands = Corpus.scenarios().stream()
            .flatMap(scenario -> scenario.steps().stream())
            .map(Step::command)
            .filter(Objects::nonNull)
            .toList();
    private final Mutator mutator = new Mutator(random, commands);

    @Test
    void noCommandIsAFaultOfTheServer() {
        System.out.println("fuzz.seed=" + seed);
        for (int round = 0; round < ROUNDS; round++) {
            String version = random.nextBoolean() ? "4.4" : "9.0";
            TestEngine engine = TestEngine.create(builder -> builder.version(version));
            for (int i = 0; i < COMMANDS; i++) {
                runOne(engine);
            }
            assertThat(code(engine.submit("last", "admin", BsonDocument.parse("{ping: 1}"))
                            .reply()))
                    .isZero();
        }
    }

    private void runOne(TestEngine engine) {
        BsonDocument command = next();
        Answer answer = engine.submit("c" + random.nextInt(3), random.nextInt(5) == 0 ? "admin" : "corpus", command);
        if (!answer.isPending() && !answer.isClosed()) {
            assertThat(answer.reply().getString("errmsg", new BsonString("")).getValue())
                    .as("seed %d, command %s", seed, command)
                    .doesNotStartWith("internal error");
        }
        if (random.nextInt(20) == 0) {
            engine.advance(Duration.ofMillis(random.nextInt(5_000)));
        }
    }

    private BsonDocument next() {
        BsonDocument command = commands.get(random.nextInt(commands.size())).clone();
        if (command.get("getMore") instanceof BsonString) {
            command.put("getMore", new BsonInt64(random.nextLong()));
        }
        return random.nextInt(3) == 0 ? command : mutator.mutated(command);
    }
}
