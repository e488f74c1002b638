package org.mongolocks.embedded.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Replays what MongoDB 4.4.0 and 5.0.0 answered, on a server of that version. Scenarios that do not agree are listed, with the reason, and must not agree. */
class CorpusTest {
    private static final BsonDocument KNOWN_DIFFERENCES = knownDifferences();

    @TestFactory
    Stream<DynamicTest> scenariosAgreeInProcess() {
        return tests(InProcessTarget::new);
    }

    @TestFactory
    Stream<DynamicTest> scenariosAgreeOverTheWire() {
        return tests(WireTarget::new);
    }

    private static Stream<DynamicTest> tests(Function<Scenario, Target> targets) {
        return Corpus.scenarios().stream()
                .map(scenario -> DynamicTest.dynamicTest(scenario.title(), () -> replay(scenario, targets)));
    }

    private static void replay(Scenario scenario, Function<Scenario, Target> targets) {
        try (Target target = targets.apply(scenario)) {
            List<String> differences = Replay.differences(scenario, target);

            if (KNOWN_DIFFERENCES.containsKey(scenario.title())) {
                assertThat(differences)
                        .as("it agrees now: take it off the list")
                        .isNotEmpty();
            } else {
                assertThat(differences).isEmpty();
            }
        }
    }

    @Test
    void theWholeCorpusIsReplayed() {
        assertThat(Corpus.scenarios().stream().map(Scenario::title))
                .hasSize(187)
                .doesNotHaveDuplicates();
    }

    @Test
    void listedDifferencesAreScenariosWithReasons() {
        List<String> titles = Corpus.scenarios().stream().map(Scenario::title).toList();

        assertThat(titles).containsAll(KNOWN_DIFFERENCES.keySet());
        assertThat(KNOWN_DIFFERENCES.values())
                .allSatisfy(reason -> assertThat(reason).isInstanceOf(BsonString.class));
    }

    private static BsonDocument knownDifferences() {
        try (InputStream in = CorpusTest.class.getResourceAsStream("/corpus-differences.json")) {
            return BsonDocument.parse(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
