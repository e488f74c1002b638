package org.mongolocks.study.exhaustive;

import de.bwaldvogel.mongo.bson.Document;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.EngineSnapshot;
import org.mongolocks.embedded.MongoConnection;
import org.mongolocks.embedded.MongoEngine;
import org.mongolocks.embedded.ReplyHandler;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.study.sim.net.BsonConversion;
import org.mongolocks.study.sim.net.Commands;
import org.mongolocks.study.sim.server.Preparation;
import org.mongolocks.study.sim.time.VirtualTime;

/** The server of a small world: from a state and a command it makes the next state and the reply. */
final class SmallServer {
    /** No TTL pass happens by itself. */
    private static final int NEVER = Integer.MAX_VALUE / 1000;

    private long millis;
    private final MongoEngine engine = MongoEngine.builder()
            .clock(() -> Instant.ofEpochMilli(VirtualTime.EPOCH.toEpochMilli() + millis))
            .ttlMonitorSeconds(NEVER)
            .oplogCapacity(1)
            .build();
    private final MongoConnection connection = engine.connect();
    private final Map<UUID, Digested<EngineSnapshot>> snapshots = new HashMap<>();
    private final Map<Asked, Optional<Executed>> known = new HashMap<>();
    private final Map<Passed, ServerState> afterTtlPasses = new HashMap<>();

    /** The next state and the reply, which has no logical times. */
    record Executed(ServerState state, Digested<BsonDocument> reply) {}

    private record Asked(ServerState state, long millis, Digested<Document> command) {}

    private record Passed(ServerState state, long millis, Expiry index) {}

    /** The reply of a command, if there is one at once. */
    private static final class Slot implements ReplyHandler {
        private @Nullable Document reply;

        @Override
        public void reply(Document answer) {
            reply = answer;
        }

        @Override
        public void connectionClosed() {
            throw new IllegalStateException("No fail point is set");
        }
    }

    /** Returns the state in which a world begins. */
    ServerState begin(LockStrategy strategy) {
        Preparation.commandsFor(strategy).forEach(this::prepare);
        BsonDocument resource =
                new BsonDocument("_id", new BsonString(SearchedClient.RESOURCE)).append("token", new BsonInt64(0));
        Commands commands = new Commands(name -> name, () -> {
            throw new IllegalStateException("The document has an id");
        });
        prepare(commands.insertOne(new MongoOp.InsertOne("prepare", SearchedClient.RESOURCE, resource)));
        return new ServerState(stored(), null, 0);
    }

    private void prepare(BsonDocument command) {
        BsonDocument reply =
                submit(command).orElseThrow(() -> new IllegalStateException("The preparation waits: " + command));
        if (reply.getNumber("ok").doubleValue() != 1) {
            throw new IllegalStateException("The preparation failed: " + reply);
        }
    }

    private Optional<BsonDocument> submit(BsonDocument command) {
        return submit(BsonConversion.toServer(command));
    }

    private Optional<BsonDocument> submit(Document command) {
        Slot slot = new Slot();
        engine.submit(connection, command, slot);
        return Optional.ofNullable(slot.reply).map(BsonConversion::reply);
    }

    /** Goes to a state, at a time in milliseconds. */
    private void enter(ServerState state, long now) {
        millis = now + state.aheadMillis();
        engine.resume(state.newest().value());
        if (state.majority() != null) {
            engine.advanceMajority(state.majority().value());
        }
        engine.runDue();
    }

    private Digested<EngineSnapshot> stored() {
        EngineSnapshot snapshot = engine.snapshot();
        Digested<EngineSnapshot> digested = Digested.of(snapshot, snapshot.contents());
        return snapshots.computeIfAbsent(digested.digest(), unknown -> digested);
    }

    /**
     * Executes a command, once in each state and at each time; empty if it has to wait for a transaction. Then nothing has
     * happened.
     */
    Optional<Executed> execute(ServerState state, long now, Digested<Document> command) {
        return known.computeIfAbsent(new Asked(state, now, command), asked -> {
            enter(state, now);
            return submit(command.value()).map(reply -> {
                reply.remove("operationTime");
                return new Executed(state.with(stored()), Digested.of(reply, reply.toString()));
            });
        });
    }

    /**
     * A TTL index.
     *
     * @param collection the collection in the database
     * @param field the field with the date
     * @param millis how long after that date it deletes a document
     */
    record Expiry(String collection, String field, long millis) {}

    /** Deletes what a TTL index declares to be over, once in each state and at each time. */
    ServerState ttlPass(ServerState state, long now, Expiry index) {
        return afterTtlPasses.computeIfAbsent(new Passed(state, now, index), this::ttlPass);
    }

    private ServerState ttlPass(Passed passed) {
        Expiry index = passed.index();
        enter(passed.state(), passed.millis());
        long latest = VirtualTime.EPOCH.toEpochMilli() + millis - index.millis();
        BsonDocument statement = new BsonDocument(
                        "q", new BsonDocument(index.field(), new BsonDocument("$lte", new BsonDateTime(latest))))
                .append("limit", new BsonInt32(0));
        BsonDocument delete = new BsonDocument("delete", new BsonString(index.collection()))
                .append("$db", new BsonString(Commands.DATABASE))
                .append("deletes", new BsonArray(List.of(statement)));
        submit(delete);
        return passed.state().with(stored());
    }

    /** Has a member with this data become primary. */
    ServerState elect(ServerState state, Digested<EngineSnapshot> data, long now) {
        enter(state, now);
        engine.restore(data.value());
        return new ServerState(stored(), null, state.aheadMillis());
    }
}
