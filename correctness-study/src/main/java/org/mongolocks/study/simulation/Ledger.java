package org.mongolocks.study.simulation;

import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.mongolocks.spi.Change;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;

/** Is what guarded transactions write: a document in the same database that counts the writes. */
final class Ledger {
    /** Its collection has the same name in the database. */
    static final String COLLECTION = "ledger";

    private static final String COUNT = "n";
    private static final BsonDocument NAMED = new BsonDocument("_id", new BsonString("orders"));

    private Ledger() {}

    /** Gives the command that makes it, before anybody works. */
    static BsonDocument made() {
        BsonDocument empty = NAMED.clone().append(COUNT, new BsonInt64(0));
        return command("insert").append("documents", new BsonArray(List.of(empty)));
    }

    /** Counts one write more. */
    static MongoOp oneMore(int grant) {
        BsonDocument change = new BsonDocument("$inc", new BsonDocument(COUNT, new BsonInt64(1)))
                .append("$set", new BsonDocument("grant", new BsonInt32(grant)));
        return new MongoOp.FindOneAndUpdate("ledger/write", COLLECTION, NAMED, Change.operators(change), false);
    }

    /** Gives the command that reads it. */
    static BsonDocument look() {
        return command("find").append("filter", NAMED);
    }

    /** Reads the count that a write has made. */
    static long count(Reply reply) {
        return Optional.of(reply)
                .filter(Reply.Found.class::isInstance)
                .flatMap(found -> ((Reply.Found) found).document())
                .orElseThrow(() -> new IllegalStateException("The ledger is gone: " + reply))
                .getNumber(COUNT)
                .longValue();
    }

    /** Reads the count of a whole reply to {@link #look}. */
    static long count(BsonDocument reply) {
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
