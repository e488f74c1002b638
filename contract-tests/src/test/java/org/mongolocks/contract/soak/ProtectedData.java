package org.mongolocks.contract.soak;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import java.util.concurrent.atomic.LongAdder;
import org.bson.Document;

/** Is what one lock protects: a document that takes writes of the newest token that has touched it, and no older. */
final class ProtectedData {
    private final MongoCollection<Document> collection;
    private final String id;
    private final LongAdder accepted = new LongAdder();

    ProtectedData(MongoCollection<Document> collection, String id) {
        this.collection = collection.withWriteConcern(WriteConcern.MAJORITY);
        this.id = id;
        this.collection.insertOne(
                new Document("_id", id).append("token", Long.MIN_VALUE).append("visits", 0L));
    }

    /** Writes; false if a larger token was here before. */
    boolean visit(long token) {
        boolean isNewest = collection
                        .updateOne(
                                and(eq("_id", id), lte("token", token)),
                                combine(set("token", token), inc("visits", 1L)))
                        .getMatchedCount()
                == 1;
        if (isNewest) {
            accepted.increment();
        }
        return isNewest;
    }

    /** Tells whether every write that was accepted is there. */
    boolean isComplete() {
        Document found = collection.find(eq("_id", id)).first();
        return found != null && found.getLong("visits") == accepted.sum();
    }
}
