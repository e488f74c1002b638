package org.mongolocks.embedded.corpus;

import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.mongolocks.embedded.support.Answer;
import org.mongolocks.embedded.support.TestEngine;

/** The engine in process. A command that waits lets the clock move on, as it does for a client that waits. */
final class InProcessTarget implements Target {
    static final BsonDocument CLOSED = new BsonDocument("$connection", new BsonString("closed"));
    private static final Duration TICK = Duration.ofMillis(100);
    private static final int TIMEOUT = 100;

    private final TestEngine engine;

    InProcessTarget(Scenario scenario) {
        this.engine = TestEngine.create(builder -> {
            builder.version(scenario.version());
            return scenario.isStandalone() ? builder.standalone() : builder;
        });
    }

    @Override
    public BsonDocument run(String connection, String db, BsonDocument command) {
        Answer answer = engine.submit(connection, db, command);
        for (int i = 0; answer.isPending() && i < TIMEOUT; i++) {
            engine.advance(TICK);
        }
        return answer.isClosed() ? CLOSED : answer.reply();
    }

    @Override
    public void advance(Duration duration) {
        engine.advance(duration);
    }

    @Override
    public void close() {}
}
