package org.mongolocks.embedded.support;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.mongolocks.embedded.EngineSnapshot;
import org.mongolocks.embedded.MongoConnection;
import org.mongolocks.embedded.MongoEngine;
import org.mongolocks.embedded.MovableClock;

/** An engine in process with a clock of its own; commands and replies are the driver's documents or JSON. */
public final class TestEngine {
    /** When the clock starts: a time at which the corpus makes sense. */
    public static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    private final MovableClock clock = MovableClock.startingAt(START);
    private final MongoEngine engine;
    private final Map<String, MongoConnection> connections = new HashMap<>();

    private TestEngine(UnaryOperator<MongoEngine.Builder> setup) {
        this.engine = setup.apply(MongoEngine.builder().clock(clock).ttlMonitorSeconds(1))
                .build();
    }

    public static TestEngine create() {
        return new TestEngine(UnaryOperator.identity());
    }

    public static TestEngine create(UnaryOperator<MongoEngine.Builder> setup) {
        return new TestEngine(setup);
    }

    /** Submits a command on database {@code test}; it may be answered later. A session may be given by a letter: {@code lsid: 'A'}. */
    public Answer submit(String command) {
        return submit("main", "test", BsonDocument.parse(command));
    }

    /** Submits a command on a connection of its own. */
    public Answer submitOn(String connection, String command) {
        return submit(connection, "test", BsonDocument.parse(command));
    }

    public Answer submit(String connection, String db, BsonDocument command) {
        BsonDocument complete = command.clone().append("$db", new BsonString(db));
        if (complete.get("lsid") instanceof BsonString letter) {
            complete.put("lsid", new BsonDocument("id", new BsonBinary(sessionId(letter.getValue()))));
        }
        Answer answer = new Answer();
        engine.submit(
                connections.computeIfAbsent(connection, name -> engine.connect()), Bson.toServer(complete), answer);
        return answer;
    }

    /** The id of the session with a letter. */
    public static UUID sessionId(String letter) {
        return UUID.nameUUIDFromBytes(letter.getBytes(StandardCharsets.UTF_8));
    }

    /** Runs a command that is answered at once. */
    public BsonDocument run(String command) {
        return submit(command).reply();
    }

    public BsonDocument admin(String command) {
        return submit("main", "admin", BsonDocument.parse(command)).reply();
    }

    /** Asks for the next batch of the cursor in a reply. */
    public Answer more(BsonDocument reply) {
        return more(reply, "{}");
    }

    /** Asks for the next batch of the cursor in a reply, with options. */
    public Answer more(BsonDocument reply, String options) {
        BsonDocument cursor = reply.getDocument("cursor");
        String namespace = cursor.getString("ns").getValue();
        int dot = namespace.indexOf('.');
        BsonDocument command = new BsonDocument("getMore", cursor.get("id"))
                .append("collection", new BsonString(namespace.substring(dot + 1)));
        command.putAll(BsonDocument.parse(options));
        return submit("main", namespace.substring(0, dot), command);
    }

    /** Closes a connection. */
    public void disconnect(String connection) {
        engine.disconnect(Objects.requireNonNull(connections.remove(connection)));
    }

    /** Moves the clock and lets the engine do what is due. */
    public void advance(Duration duration) {
        clock.advance(duration);
        engine.runDue();
    }

    public MongoEngine engine() {
        return engine;
    }

    public MovableClock clock() {
        return clock;
    }

    public EngineSnapshot snapshot() {
        return engine.snapshot();
    }
}
