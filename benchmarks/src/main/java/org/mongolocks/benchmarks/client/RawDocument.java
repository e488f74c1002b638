package org.mongolocks.benchmarks.client;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;

import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import java.util.Objects;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Is a document that raw commands write instead of a lock, and nobody else uses.
 *
 * @param id its id
 */
record RawDocument(String id) {
    static final Document PING = new Document("ping", 1);

    /** How long a change stream waits for an event; the product's do as long. */
    static final long AWAIT_MILLIS = 1_000;

    private static final String OWNER = "owner";

    static RawDocument fresh() {
        return new RawDocument(UUID.randomUUID().toString());
    }

    Bson filter() {
        return eq("_id", id);
    }

    /** An owner is new for each grant. */
    Bson take() {
        return combine(set(OWNER, UUID.randomUUID().toString()), inc("fence", 1L));
    }

    Bson giveBack() {
        return unset(OWNER);
    }

    Document document() {
        return new Document("_id", id)
                .append(OWNER, UUID.randomUUID().toString())
                .append("fence", 1L);
    }

    /** An upsert leaves a document, whatever was there. */
    static Document changed(@Nullable Document after) {
        return Objects.requireNonNull(after, "A findAndModify that returns what it leaves returned nothing");
    }

    static String idIn(BsonDocument event) {
        return event.getDocument("documentKey").getString("_id").getValue();
    }

    static FindOneAndUpdateOptions options() {
        return new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER);
    }
}
