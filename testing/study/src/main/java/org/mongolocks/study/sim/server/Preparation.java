package org.mongolocks.study.sim.server;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.types.ObjectId;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.study.sim.config.Workload.Locks;
import org.mongolocks.study.sim.net.BsonConversion;
import org.mongolocks.study.sim.net.Commands;
import org.mongolocks.study.sim.server.SimulatedServer.Request;
import org.mongolocks.study.sim.time.VirtualTime;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Textbook;

/** Creates the collections and indexes of a technique, before the run. */
public record Preparation(Technique technique, SimulatedServer server) {
    private static final int NOBODY = 0;

    public void run() {
        LockStrategy strategy = technique.strategies().apply(() -> VirtualTime.EPOCH);
        commandsFor(strategy).forEach(this::execute);
    }

    /** Returns the commands that create them. */
    public static List<BsonDocument> commandsFor(LockStrategy strategy) {
        Commands commands = new Commands(
                name -> strategy.schema().resolve(name, "locks"), () -> new BsonObjectId(new ObjectId(new byte[12])));
        Stream<BsonDocument> shared = strategy.schema().collections().stream()
                .map(collection -> commands.createCollection(new MongoOp.CreateCollection("create", collection)));
        return strategy instanceof Textbook textbook
                ? Stream.concat(shared, commandsOf(textbook, commands)).toList()
                : Stream.concat(shared, Stream.of(GuardedCounter.made())).toList();
    }

    private static Stream<BsonDocument> commandsOf(Textbook textbook, Commands commands) {
        return Stream.concat(
                textbook.indexes().stream().map(Preparation::index),
                textbook.documents(Locks.one()).stream()
                        .map(document -> commands.insertOne(new MongoOp.InsertOne("insert", "locks", document))));
    }

    private static BsonDocument index(BsonDocument index) {
        return new BsonDocument("createIndexes", new BsonString("locks"))
                .append("$db", new BsonString(Commands.DATABASE))
                .append("indexes", new BsonArray(List.of(index)));
    }

    private void execute(BsonDocument command) {
        Request request = new Request(NOBODY, BsonConversion.toServer(command), false, Optional.empty());
        server.execute(request, executed -> {
            Document reply = executed.reply().orElseThrow();
            if (BsonConversion.reply(reply).getNumber("ok").doubleValue() != 1) {
                throw new IllegalStateException("The preparation failed: " + reply);
            }
        });
    }
}
