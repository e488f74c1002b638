package org.mongolocks.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.doctor.LookAlike.Behavior.refusing;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.mongolocks.doctor.LookAlike.Behavior;

/**
 * Tests with servers of other makers, as far as their documentation of November 2026 says what they lack. Each is an
 * embedded server that refuses what the other one has not; docs/operations.md has the same table.
 */
class CompatibleServersTest {
    private static final String CLOCK_FREE = "optimistic-version-clock-free";

    @Test
    void amazonDocumentDbOf5IsForTheClockFreeModeWithoutRetryableWrites() throws Exception {
        Behavior amazon = noRetryableWrites()
                .over(refusing(9, "Update stages are not supported", LookAlike::hasPipeline))
                .over(refusing(136, "Change streams are not enabled", CompatibleServersTest::isStream));
        try (LookAlike server = LookAlike.start(amazon)) {
            Run run = Run.jsonOfAll(server.uri() + "&retryWrites=false");

            assertThat(run.usable()).containsExactly(CLOCK_FREE);
            assertThat(run.found("update-pipelines")).singleElement().asString().startsWith("broken ");
            assertThat(run.found("numbered-writes"))
                    .singleElement()
                    .asString()
                    .startsWith("warning writes cannot be numbered (Retryable writes are not supported (code 115))");
            assertThat(run.found("change-streams"))
                    .singleElement()
                    .asString()
                    .startsWith("warning there are no change streams");
        }
    }

    @Test
    void amazonDocumentDbOf5RefusesRetryableWritesAndTheAdviceSaysSo() throws Exception {
        try (LookAlike server = LookAlike.start(noRetryableWrites())) {
            Run run = Run.jsonOfAll(server.uri());

            assertThat(run.usable()).isEmpty();
            assertThat(run.advice()).first().asString().startsWith("Add retryWrites=false to the URI");
            assertThat(run.found("numbered-writes")).singleElement().asString().startsWith("broken ");
        }
    }

    @Test
    void amazonDocumentDbOf8IsForTheClockFreeMode() throws Exception {
        Behavior amazon = refusing(168, "Unrecognized expression '$switch'", command -> mentions(command, "$switch"));
        try (LookAlike server = LookAlike.start(amazon)) {
            Run run = Run.jsonOfAll(server.uri());

            assertThat(run.usable()).containsExactly(CLOCK_FREE);
            assertThat(run.found("update-pipelines"))
                    .containsExactly(
                            "broken update pipelines compute not at all: Unrecognized expression '$switch' (code 168)");
            assertThat(run.found("numbered-writes")).singleElement().asString().startsWith("ok ");
        }
    }

    @Test
    void documentDbBefore108IsForNoStrategy() throws Exception {
        try (LookAlike server = LookAlike.start(documentDb107())) {
            Run run = Run.jsonOfAll(server.uri());

            assertThat(run.usable()).isEmpty();
            assertThat(run.found("conditional-upsert"))
                    .containsExactly(
                            "broken of two upserts of an _id one is a duplicate key otherwise than on MongoDB: of two"
                                    + " upserts at the same time not one inserted, but both or none, in attempt 1 of 100, so"
                                    + " a lock can have two holders");
            assertThat(run.found("now-in-updates")).singleElement().asString().startsWith("broken ");
            assertThat(run.found("now-in-projections"))
                    .singleElement()
                    .asString()
                    .startsWith("broken ");
        }
    }

    /** It is released for DocumentDB 0.107. */
    @Test
    void ferretDbIsForNoStrategy() throws Exception {
        try (LookAlike server = LookAlike.start(noTransactions().over(documentDb107()))) {
            Run run = Run.jsonOfAll(server.uri());

            assertThat(run.usable()).isEmpty();
            assertThat(run.found("transactions"))
                    .isNotEmpty()
                    .allMatch(found -> found.startsWith("broken there are no transactions: no such command"));
            assertThat(run.found("conditional-upsert"))
                    .singleElement()
                    .asString()
                    .startsWith("broken ");
        }
    }

    @Test
    void aServerThatOnlyLacksTransactionsIsForTheOtherStrategies() throws Exception {
        try (LookAlike server = LookAlike.start(noTransactions())) {
            assertThat(Run.jsonOfAll(server.uri()).usable())
                    .containsExactlyInAnyOrder(
                            "findandmodify-counter", "flag-update", "insert-unique", "optimistic-version", CLOCK_FREE);
        }
    }

    @Test
    void atlasFlexIsForAllStrategiesByPolling() throws Exception {
        Behavior flex = refusing(8000, "$changeStream is not allowed", CompatibleServersTest::isStream)
                .over(refusing(8000, "maxTimeMS is at most 300000", CompatibleServersTest::isLong));
        try (LookAlike server = LookAlike.start(flex)) {
            Run run = Run.jsonOfAll(server.uri());

            assertThat(run.status()).isZero();
            assertThat(run.usable()).hasSize(6);
            assertThat(run.found("change-streams"))
                    .containsExactly(
                            "warning there are no change streams, so that waiters poll, at least once a second:"
                                    + " $changeStream is not allowed (code 8000)");
        }
    }

    private static Behavior noRetryableWrites() {
        return refusing(
                115,
                "Retryable writes are not supported",
                command -> command.containsKey("txnNumber") && !command.containsKey("autocommit"));
    }

    private static Behavior noTransactions() {
        return refusing(
                59,
                "no such command",
                command -> command.containsKey("commitTransaction") || command.containsKey("abortTransaction"));
    }

    /** The second of two upserts of a document is answered as if it had inserted too. */
    private static Behavior documentDb107() {
        Set<Object> inserted = ConcurrentHashMap.newKeySet();
        Behavior insertingTwice = (command, server) -> {
            Object id = upserted(command);
            return id instanceof Integer round && round > 0 && !inserted.add(id)
                    ? new Document("ok", 1.0)
                            .append("n", 1)
                            .append("nModified", 0)
                            .append("upserted", List.of(new Document("index", 0).append("_id", id)))
                    : server.apply(command);
        };
        return refusing(17276, "Use of undefined variable: NOW", command -> mentions(command, "$$NOW"))
                .over(insertingTwice);
    }

    private static boolean isStream(Document command) {
        return command.containsKey("aggregate") && mentions(command, "$changeStream");
    }

    private static boolean isLong(Document command) {
        return command.get("maxTimeMS") instanceof Number limit && limit.longValue() > 300_000;
    }

    private static Object upserted(Document command) {
        if (command.get("updates") instanceof Collection<?> updates) {
            Document update = (Document) updates.iterator().next();
            return Boolean.TRUE.equals(update.get("upsert")) ? ((Document) update.get("q")).get("_id") : null;
        }
        return null;
    }

    /** Returns whether a name or a text is anywhere in a command. */
    private static boolean mentions(Object value, String word) {
        if (value instanceof Map<?, ?> document) {
            return document.containsKey(word) || document.values().stream().anyMatch(inner -> mentions(inner, word));
        }
        return value instanceof Collection<?> values
                ? values.stream().anyMatch(inner -> mentions(inner, word))
                : word.equals(value);
    }
}
