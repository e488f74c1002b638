package org.mongolocks.study.sim.driver;

import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;

/** Reads replies of successful commands, as the clients' ports do. */
public final class ReplyReader {
    private static final Reply ACKNOWLEDGED = new Reply.Acknowledged();

    private ReplyReader() {}

    /** Returns the meaning of a reply. */
    public static Reply of(MongoOp op, BsonDocument reply) {
        if (op instanceof MongoOp.Hello) {
            return new Reply.Found(Optional.of(reply));
        }
        if (op instanceof MongoOp.FindOne) {
            return new Reply.Found(batch(reply).findFirst());
        }
        if (op instanceof MongoOp.FindMany || op instanceof MongoOp.ReadSchema) {
            return new Reply.FoundMany(batch(reply).toList());
        }
        if (op instanceof MongoOp.FindOneAndUpdate) {
            return new Reply.Found(Optional.ofNullable(reply.get("value"))
                    .filter(BsonValue::isDocument)
                    .map(BsonValue::asDocument));
        }
        boolean counts =
                op instanceof MongoOp.UpdateOne || op instanceof MongoOp.BulkUpdate || op instanceof MongoOp.DeleteOne;
        return counts ? counted(reply) : ACKNOWLEDGED;
    }

    private static Stream<BsonDocument> batch(BsonDocument reply) {
        return reply.getDocument("cursor").getArray("firstBatch").stream().map(BsonValue::asDocument);
    }

    /** Returns the matched count without upserts, because the server counts them and the driver does not. */
    private static Reply counted(BsonDocument reply) {
        int created = reply.getArray("upserted", new BsonArray()).size();
        int n = reply.getInt32("n", new BsonInt32(0)).getValue();
        return new Reply.Counted(n - created, created > 0);
    }
}
