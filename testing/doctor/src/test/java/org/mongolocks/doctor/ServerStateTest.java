package org.mongolocks.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.doctor.LookAlike.Behavior.refusing;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.mongolocks.doctor.LookAlike.Behavior;

/** Tests with servers whose state or settings matter to locks. */
class ServerStateTest {
    private static final String COUNTER = "findandmodify-counter";
    private static final int API_STRICT_ERROR = 323;
    /** The commands that locks send of those in version 1 of the Stable API, and what drivers send by themselves. */
    private static final Set<String> STABLE = Set.of(
            "abortTransaction",
            "aggregate",
            "commitTransaction",
            "delete",
            "endSessions",
            "find",
            "findAndModify",
            "getMore",
            "hello",
            "insert",
            "killCursors",
            "listCollections",
            "listIndexes",
            "ping",
            "update");

    @Test
    void aServerThatShedsLoadIsAWarning() throws Exception {
        AtomicBoolean refused = new AtomicBoolean();
        Behavior overloaded = (command, server) -> {
            if (command.containsKey("serverStatus")) {
                return status().append("network", new Document("ingressRequestRateLimiter", rejected(7)))
                        .append("queues", new Document("ingressSessionEstablishment", rejected(2)));
            }
            return command.containsKey("buildInfo") && refused.compareAndSet(false, true)
                    ? LookAlike.refusal(462, "rate exceeded")
                            .append("errorLabels", List.of("SystemOverloadedError", "RetryableError"))
                    : server.apply(command);
        };
        try (LookAlike server = LookAlike.start(overloaded)) {
            Run run = Run.json(server.uri(), COUNTER);

            assertThat(run.found("overload"))
                    .containsExactly(
                            "warning commands of this run that the server refused because of its load: 1",
                            "warning refused because of load since the server started: 7 requests, 2 connections");
            assertThat(run.status()).isZero();
        }
    }

    @Test
    void aServerThatBlocksWritesIsSeenAndTheChecksThatWriteCannotLook() throws Exception {
        Behavior blocking = answering("serverStatus", status().append("repl", new Document("userWriteBlockMode", 2)))
                .over(refusing(371, "User writes blocked", is("insert", "update", "findAndModify")));
        try (LookAlike server = LookAlike.start(blocking)) {
            Run run = Run.json(server.uri(), COUNTER);

            assertThat(run.found("write-block"))
                    .singleElement()
                    .asString()
                    .startsWith("broken the server blocks writes");
            assertThat(run.isUsable()).isFalse();
            assertThat(List.of(
                            "update-pipelines", "conditional-upsert", "numbered-writes", "transactions", "lock-life"))
                    .allSatisfy(
                            check -> assertThat(run.found(check)).containsExactly("unseen the server blocks writes"));
        }
    }

    @Test
    void aServerThatTakesWritesDoesNotBlockThem() throws Exception {
        Behavior taking = answering("serverStatus", status().append("repl", new Document("userWriteBlockMode", 1)));
        try (LookAlike server = LookAlike.start(taking)) {
            assertThat(Run.json(server.uri(), COUNTER).found("write-block"))
                    .containsExactly("ok the server does not block writes");
        }
    }

    @Test
    void aDefaultTimeLimitOfReadsIsAWarning() throws Exception {
        Document limit = new Document("_id", "defaultMaxTimeMS").append("readOperations", 5_000L);
        Behavior limited =
                answering("getClusterParameter", new Document("ok", 1.0).append("clusterParameters", List.of(limit)));
        try (LookAlike server = LookAlike.start(limited)) {
            Run run = Run.json(server.uri(), COUNTER);

            assertThat(run.found("default-time-limit"))
                    .singleElement()
                    .asString()
                    .startsWith("warning reads without a time limit of their own end after 5000 ms");
            assertThat(run.promise("prompt-grants")).isEqualTo("warning");
        }
        try (LookAlike server = LookAlike.start((command, real) -> real.apply(command))) {
            assertThat(Run.json(server.uri(), COUNTER).found("default-time-limit"))
                    .containsExactly("ok the server has no default time limit of reads");
        }
    }

    @Test
    void statesThatAUserMayNotReadAreUnseen() throws Exception {
        Behavior unprivileged =
                refusing(13, "not authorized on admin to execute command", is("serverStatus", "getClusterParameter"));
        try (LookAlike server = LookAlike.start(unprivileged)) {
            Run run = Run.json(server.uri(), COUNTER);

            assertThat(run.status()).isZero();
            assertThat(run.isUsable()).isTrue();
            assertThat(run.found("overload"))
                    .containsExactly(
                            "ok no command of this run was refused because of load",
                            "unseen how many requests the server has refused because of its load: the user lacks the right"
                                    + " to read it");
            assertThat(run.found("write-block")).singleElement().asString().startsWith("unseen ");
            assertThat(run.found("default-time-limit"))
                    .singleElement()
                    .asString()
                    .startsWith("unseen ");
        }
    }

    @Test
    void clientsCanDeclareTheStableApi() throws Exception {
        Behavior strict = newer(command -> STABLE.stream().noneMatch(command::containsKey));
        try (LookAlike server = LookAlike.start(strict)) {
            Run run = Run.jsonOfAll(server.uri());

            assertThat(run.found("stable-api")).hasSize(6).allMatch(found -> found.startsWith("ok clients of "));
        }
    }

    @Test
    void aServerThatRefusesTheStableApiToLocksIsAWarning() throws Exception {
        try (LookAlike server = LookAlike.start(newer(is("findAndModify")))) {
            Run run = Run.json(server.uri(), COUNTER);

            assertThat(run.found("stable-api"))
                    .singleElement()
                    .asString()
                    .startsWith("warning a client that declares the Stable API, strictly, cannot lock: ")
                    .contains("error 323");
            assertThat(run.isUsable()).isTrue();
        }
    }

    /** A server that claims to be MongoDB 5.0, and refuses some commands of clients that declare the Stable API. */
    private static Behavior newer(Predicate<Document> refused) {
        return (command, server) -> {
            boolean isStrict = Boolean.TRUE.equals(command.get("apiStrict"));
            if (isStrict && refused.test(command)) {
                return LookAlike.refusal(API_STRICT_ERROR, "not in API Version 1");
            }
            List.of("apiVersion", "apiStrict").forEach(command::remove);
            Document reply = server.apply(command);
            if (reply.containsKey("maxWireVersion")) {
                reply.put("maxWireVersion", 13);
            }
            return reply;
        };
    }

    private static Behavior answering(String name, Document reply) {
        return (command, server) -> command.containsKey(name) ? reply : server.apply(command);
    }

    private static Predicate<Document> is(String... names) {
        return command -> Set.of(names).stream().anyMatch(command::containsKey);
    }

    private static Document status() {
        return new Document("ok", 1.0);
    }

    private static Document rejected(long count) {
        return new Document("rejectedAdmissions", count);
    }
}
