package org.mongolocks.study.sim.server;

import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.study.sim.net.Commands;

/** The data of guarded transactions: a document in the same database that counts the writes. */
public final class GuardedCounter {
    /** The name of its collection. */
    public static final String COLLECTION = "ledger";

    private static final String COUNT = "n";
    private static final BsonDocument NAMED = new BsonDocument("_id", new BsonString("orders"));

    private GuardedCounter() {}

    /** Returns the command that creates it, before the run. */
    static BsonDocument made() {
        BsonDocument empty = NAMED.clone().append(COUNT, new BsonInt64(0));
        return command("insert").append("documents", new BsonArray(List.of(empty)));
    }

    /** Returns the operation that counts a write. */
    public static MongoOp oneMore(int grant) {
        BsonDocument change = new BsonDocument("$inc", new BsonDocument(COUNT, new BsonInt64(1)))
                .append("$set", new BsonDocument("grant", new BsonInt32(grant)));
        return new MongoOp.FindOneAndUpdate("ledger/write", COLLECTION, NAMED, UpdateSpec.operators(change), false);
    }

    /** Returns the command that reads it. */
    public static BsonDocument look() {
        return command("find").append("filter", NAMED);
    }

    /** Returns the count after a write. */
    public static long count(Reply reply) {
        return Optional.of(reply)
                .filter(Reply.Found.class::isInstance)
                .flatMap(found -> ((Reply.Found) found).document())
                .orElseThrow(() -> new IllegalStateException("The ledger document is missing: " + reply))
                .getNumber(COUNT)
                .longValue();
    }

    /** Returns the count in a reply to {@link #look}. */
    public static long count(BsonDocument reply) {
        return reply.getDocument("cursor")
                .getArray("firstBatch")
                .get(0)
                .asDocument()
                .getNumber(COUNT)
                .longValue();
    }

    private static BsonDocument command(String name) {
        return new BsonDocument(name, new BsonString(COLLECTION)).append("$db", new BsonString(Commands.DATABASE));
    }
}
