package org.mongolocks.benchmarks.measure;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import java.util.UUID;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * Is what no lock can be faster than while it is as durable: two raw {@code findAndModify} on one document, written with
 * majority and journal. The first writes an owner and counts up, the second removes the owner.
 */
public final class Floor {
    /** How durable a lock is. */
    public static final WriteConcern DURABLE = WriteConcern.MAJORITY.withJournal(true);

    /** The name of this floor among the contenders. */
    public static final String ID = "floor-two-find-and-modify";

    private static final String OWNER = "owner";

    private final MongoCollection<Document> collection;
    private final Bson document = newDocument();

    public Floor(MongoCollection<Document> collection) {
        this.collection = collection.withWriteConcern(DURABLE);
    }

    /** Sends the two commands, one after the other. */
    public void run() {
        collection.findOneAndUpdate(document, take(), options());
        collection.findOneAndUpdate(document, giveBack(), options());
    }

    /** Gives the filter for a document that nobody else uses. */
    public static Bson newDocument() {
        return eq("_id", UUID.randomUUID().toString());
    }

    /** Gives the first change. */
    public static Bson take() {
        return combine(set(OWNER, UUID.randomUUID().toString()), inc("fence", 1L));
    }

    /** Gives the second change. */
    public static Bson giveBack() {
        return unset(OWNER);
    }

    /** Gives the options of both changes. */
    public static FindOneAndUpdateOptions options() {
        return new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER);
    }
}
