package org.mongolocks.embedded.support;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
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

    /** Submits a command on database {@code test}; it may be answered later. */
    public Answer submit(String command) {
        return submit("main", "test", BsonDocument.parse(command));
    }

    public Answer submit(String connection, String db, BsonDocument command) {
        BsonDocument complete = command.clone().append("$db", new BsonString(db));
        Answer answer = new Answer();
        engine.submit(
                connections.computeIfAbsent(connection, name -> engine.connect()), Bson.toServer(complete), answer);
        return answer;
    }

    /** Runs a command that is answered at once. */
    public BsonDocument run(String command) {
        return submit(command).reply();
    }

    public BsonDocument admin(String command) {
        return submit("main", "admin", BsonDocument.parse(command)).reply();
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
