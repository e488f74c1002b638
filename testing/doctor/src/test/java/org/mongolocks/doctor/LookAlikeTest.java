package org.mongolocks.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests with servers that claim to be MongoDB 4.4 and lack a feature that locks need. */
class LookAlikeTest {
    private static final String COUNTER = "findandmodify-counter";
    private static final String CLOCK_FREE = "optimistic-version-clock-free";

    @Test
    void aServerWithoutUpdatePipelinesIsForTheClockFreeMode() throws Exception {
        LookAlike.Behavior behavior =
                LookAlike.Behavior.refusing(9, "Argument to update must be object", LookAlike::hasPipeline);
        try (LookAlike server = LookAlike.start(behavior)) {
            Run counter = Run.json(server.uri(), COUNTER);
            Run clockFree = Run.json(server.uri(), CLOCK_FREE);

            assertThat(counter.status()).isOne();
            assertThat(counter.isUsable()).isFalse();
            assertThat(counter.found("update-pipelines"))
                    .containsExactly(
                            "broken update pipelines compute not at all: Argument to update must be object (code 9)");
            assertThat(counter.out()).contains("optimistic-version-clock-free");
            assertThat(clockFree.isUsable()).isTrue();
            assertThat(clockFree.found("update-pipelines")).isEmpty();
        }
    }

    @Test
    void aTextInPlaceOfTheServersTimeIsSeen() throws Exception {
        LookAlike.Behavior behavior = (command, server) -> server.apply(
                command.containsKey("projection") || command.containsKey("pipeline")
                        ? command
                        : (Document) withoutNow(command));
        try (LookAlike server = LookAlike.start(behavior)) {
            Run run = Run.json(server.uri(), COUNTER);

            assertThat(run.found("now-in-updates")).singleElement().asString().startsWith("broken ");
            assertThat(run.found("now-in-projections"))
                    .singleElement()
                    .asString()
                    .startsWith("ok ");
            assertThat(run.promise("exclusion")).isEqualTo("broken");
        }
    }

    @Test
    void aServerThatExecutesNumberedWritesTwiceIsSeen() throws Exception {
        LookAlike.Behavior behavior = (command, server) -> {
            if (!command.containsKey("autocommit")) {
                command.remove("txnNumber");
            }
            return server.apply(command);
        };
        try (LookAlike server = LookAlike.start(behavior)) {
            Run run = Run.json(server.uri(), COUNTER);

            assertThat(run.found("numbered-writes")).containsExactly("broken a numbered write was executed twice");
            assertThat(run.promise("late-requests")).isEqualTo("broken");
            assertThat(run.isUsable()).isTrue();
            assertThat(run.status()).isOne();
        }
    }

    @Test
    void aServerWithoutTransactionsAndChangeStreamsIsSeen() throws Exception {
        LookAlike.Behavior behavior = LookAlike.Behavior.refusing(
                115,
                "Not supported here",
                command -> command.containsKey("startTransaction") || command.containsKey("aggregate"));
        try (LookAlike server = LookAlike.start(behavior)) {
            Run run = Run.json(server.uri(), "transactional");

            assertThat(run.isUsable()).isFalse();
            assertThat(run.found("transactions"))
                    .isNotEmpty()
                    .allMatch(found -> found.equals("broken there are no transactions: Not supported here (code 115)"));
            assertThat(run.found("change-streams")).singleElement().asString().startsWith("warning ");
        }
    }

    @Test
    void aRouterIsAskedForShardKeys() throws Exception {
        LookAlike.Behavior behavior = (command, server) -> {
            if ("collections".equals(command.get("find"))) {
                Document sharded = new Document("_id", "test.c").append("key", new Document("owner", 1));
                Document cursor = new Document("id", 0L)
                        .append("ns", "config.collections")
                        .append("firstBatch", List.of(sharded));
                return new Document("cursor", cursor).append("ok", 1.0);
            }
            Document reply = server.apply(command);
            if (reply.containsKey("setName")) {
                reply.put("msg", "isdbgrid");
                List.of("setName", "hosts", "primary", "me").forEach(reply::remove);
            }
            return reply;
        };
        try (LookAlike server = LookAlike.start(behavior)) {
            Run run = Run.json(server.uri(), COUNTER, "--collection", "c");

            assertThat(run.report().getString("topology").getValue()).isEqualTo("a sharded cluster");
            assertThat(run.found("lock-collections"))
                    .singleElement()
                    .asString()
                    .startsWith("broken collection 'c' is sharded by {\"owner\": 1}");
        }
    }

    @Test
    void administratorCommandsAreReported() throws Exception {
        LookAlike.Behavior behavior = (command, server) -> {
            if (command.containsKey("replSetGetConfig")) {
                return new Document("ok", 1.0)
                        .append("config", new Document("writeConcernMajorityJournalDefault", false));
            }
            if (Integer.valueOf(1).equals(command.get("aggregate"))) {
                Document orphan = new Document("type", "idleSession")
                        .append("transaction", new Document("timeInactiveMicros", 40_000_000L));
                Document cursor = new Document("id", 0L)
                        .append("ns", "admin.$cmd.aggregate")
                        .append("firstBatch", List.of(orphan));
                return new Document("cursor", cursor).append("ok", 1.0);
            }
            return server.apply(command);
        };
        try (LookAlike server = LookAlike.start(behavior)) {
            Run run = Run.json(server.uri(), COUNTER);

            assertThat(run.found("majority"))
                    .last()
                    .asString()
                    .startsWith("warning writeConcernMajorityJournalDefault is false");
            assertThat(run.found("orphaned-transactions"))
                    .singleElement()
                    .asString()
                    .startsWith("warning transactions that have been inactive for more than 20 s: 1;");
            assertThat(run.promise("elections")).isEqualTo("warning");
            assertThat(run.status()).isZero();
        }
    }

    @Test
    void arbitersThatLeaveNoMajorityAreAWarning() throws Exception {
        try (LookAlike server = LookAlike.start((command, real) -> withArbiters(real.apply(command), "b:1"))) {
            assertThat(Run.json(server.uri(), COUNTER).found("majority"))
                    .element(1)
                    .asString()
                    .startsWith("warning arbiters, which hold no data: 1 of 3 voting members;");
        }
        try (LookAlike server =
                LookAlike.start((command, real) -> withArbiters(real.apply(command), "b:1", "c:1", "e:1"))) {
            assertThat(Run.json(server.uri(), COUNTER).found("majority"))
                    .noneMatch(found -> found.contains("arbiters"));
        }
    }

    /** A reply to hello shows one arbiter, and these members that hold data besides the server. */
    private static Document withArbiters(Document reply, String... others) {
        if (reply.containsKey("hosts")) {
            reply.put("passives", List.of(others));
            reply.put("arbiters", List.of("d:1"));
        }
        return reply;
    }

    @Test
    void repliesThatAreNoneOfMongoDbEndNoRun() throws Exception {
        LookAlike.Behavior behavior = (command, server) -> {
            Document reply = server.apply(command);
            reply.remove("localTime");
            return command.containsKey("buildInfo") ? new Document("ok", 1.0).append("version", 7) : reply;
        };
        try (LookAlike server = LookAlike.start(behavior)) {
            Run run = Run.json(server.uri(), COUNTER);

            assertThat(run.found("clocks")).singleElement().asString().startsWith("unseen ");
            assertThat(run.found("server")).singleElement().asString().startsWith("unseen ");
            assertThat(run.isUsable()).isTrue();
        }
    }

    @Test
    void unreadableSchemaIsReportedAsUnseen() throws Exception {
        LookAlike.Behavior behavior =
                (command, server) -> command.containsKey("listCollections") || command.containsKey("listIndexes")
                        ? LookAlike.refusal(13, "not authorized on test to execute command")
                        : command.containsKey("connectionStatus") ? user() : server.apply(command);
        try (LookAlike server = LookAlike.start(behavior)) {
            Run run = Run.json(server.uri(), COUNTER);

            assertThat(run.status()).isZero();
            assertThat(run.found("lock-collections")).singleElement().asString().startsWith("unseen ");
            assertThat(run.promise("exclusion")).isEqualTo("unseen");
            assertThat(run.found("rights"))
                    .singleElement()
                    .asString()
                    .startsWith("warning the user lacks what clients of findandmodify-counter use: ")
                    .contains("listCollections on 'test'", "changeStream on 'test.locks.findandmodify-counter'")
                    .doesNotContain("find on");
        }
    }

    private static Document user() {
        Document all = new Document("resource", new Document("db", "test").append("collection", ""))
                .append("actions", List.of("find", "insert", "update", "remove"));
        return new Document("ok", 1.0)
                .append(
                        "authInfo",
                        new Document("authenticatedUsers", List.of(new Document("user", "u").append("db", "admin")))
                                .append("authenticatedUserPrivileges", List.of(all)));
    }

    /** Replaces the variable by a text, as a server does that does not know it. */
    private static Object withoutNow(Object value) {
        if (value instanceof Document document) {
            Document copy = new Document();
            for (Map.Entry<String, Object> field : document.entrySet()) {
                copy.put(field.getKey(), withoutNow(field.getValue()));
            }
            return copy;
        }
        if (value instanceof Collection<?> values) {
            return values.stream().map(LookAlikeTest::withoutNow).toList();
        }
        return "$$NOW".equals(value) ? "now" : value;
    }
}
