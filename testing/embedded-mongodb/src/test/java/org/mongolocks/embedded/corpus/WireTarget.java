package org.mongolocks.embedded.corpus;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.embedded.MovableClock;
import org.mongolocks.embedded.support.RawClient;
import org.mongolocks.embedded.support.TestEngine;

/** The server over the wire, on a clock that moves while a command waits. */
final class WireTarget implements Target {
    private static final Duration TICK = Duration.ofMillis(100);

    private final MovableClock clock = MovableClock.startingAt(TestEngine.START);
    private final EmbeddedMongo server;
    private final Map<String, RawClient> clients = new HashMap<>();

    WireTarget(Scenario scenario) {
        EmbeddedMongo.Builder builder = EmbeddedMongo.builder()
                .version(scenario.version())
                .clock(clock)
                .ttlMonitorSeconds(1)
                .seed(1);
        this.server = (scenario.isStandalone() ? builder.standalone() : builder).start();
    }

    @Override
    public BsonDocument run(String connection, String db, BsonDocument command) {
        RawClient client = clients.computeIfAbsent(connection, name -> connect());
        BsonDocument complete = command.clone().append("$db", new BsonString(db));
        CompletableFuture<BsonDocument> reply = CompletableFuture.supplyAsync(() -> run(client, complete));
        while (true) {
            try {
                return reply.get(20, TimeUnit.MILLISECONDS);
            } catch (TimeoutException waiting) {
                clock.advance(TICK);
            } catch (InterruptedException | ExecutionException e) {
                throw new AssertionError(e);
            }
        }
    }

    private RawClient connect() {
        try {
            return new RawClient(server.port());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static BsonDocument run(RawClient client, BsonDocument command) {
        try {
            BsonDocument reply = client.run(command);
            return reply == null ? InProcessTarget.CLOSED : reply;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void advance(Duration duration) {
        clock.advance(duration);
    }

    @Override
    public void close() {
        for (RawClient client : clients.values()) {
            try {
                client.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        server.close();
    }
}
