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

/**
 * The data that one lock protects: a document that accepts writes with the largest token it has seen, and refuses
 * smaller ones.
 */
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

    /** Writes; returns false if the document has seen a larger token. */
    boolean write(long token) {
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

    /** Returns whether every accepted write is present. */
    boolean isComplete() {
        Document found = collection.find(eq("_id", id)).first();
        return found != null && found.getLong("visits") == accepted.sum();
    }
}
