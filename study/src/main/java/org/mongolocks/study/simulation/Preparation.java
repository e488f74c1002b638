package org.mongolocks.study.simulation;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.types.ObjectId;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Textbook;

/** Makes the collections and indexes of a technique, before the run begins. */
record Preparation(Technique technique, SimulatedServer server) {
    private static final int NOBODY = 0;

    void run(Environment environment) {
        LockStrategy strategy = technique.strategies().apply(() -> SimulatedServer.EPOCH);
        commandsFor(strategy).forEach(this::execute);
    }

    private static List<BsonDocument> commandsFor(LockStrategy strategy) {
        Commands commands = new Commands(
                name -> strategy.schema().resolve(name, "locks"), () -> new BsonObjectId(new ObjectId(new byte[12])));
        List<BsonDocument> result = new ArrayList<>();
        for (LockCollection collection : strategy.schema().collections()) {
            result.add(new MongoOp.CreateCollection("create", collection.name()).accept(commands));
            collection
                    .ttlField()
                    .ifPresent(field ->
                            result.add(new MongoOp.CreateTtlIndex("index", collection.name(), field).accept(commands)));
        }
        if (strategy instanceof Textbook textbook) {
            textbook.indexes().forEach(index -> result.add(index(index)));
            textbook.documents(World.LOCK)
                    .forEach(document ->
                            result.add(new MongoOp.InsertOne("insert", "locks", document).accept(commands)));
        }
        return result;
    }

    private static BsonDocument index(BsonDocument index) {
        return new BsonDocument("createIndexes", new BsonString("locks"))
                .append("$db", new BsonString(Commands.DATABASE))
                .append("indexes", new BsonArray(List.of(index)));
    }

    private void execute(BsonDocument command) {
        Request request = new Request(NOBODY, Wire.toServer(command), false, Optional.empty());
        server.execute(request, executed -> {
            Document reply = executed.reply().orElseThrow();
            if (Wire.reply(reply).getNumber("ok").doubleValue() != 1) {
                throw new IllegalStateException("The preparation failed: " + reply);
            }
        });
    }
}
