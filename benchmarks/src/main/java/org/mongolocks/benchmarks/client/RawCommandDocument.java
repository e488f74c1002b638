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
 * A document that raw commands write in place of a lock document. No other client uses it.
 *
 * @param id its id
 */
record RawCommandDocument(String id) {
    static final Document PING = new Document("ping", 1);

    /** The {@code maxAwaitTimeMS} of a change stream, the same as in the lock clients. */
    static final long AWAIT_MILLIS = 1_000;

    private static final String OWNER = "owner";

    static RawCommandDocument fresh() {
        return new RawCommandDocument(UUID.randomUUID().toString());
    }

    Bson filter() {
        return eq("_id", id);
    }

    /** Sets a new owner, as each grant does, and increments the fencing token. */
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

    /** Returns the document left by an upsert, which is never null. */
    static Document changed(@Nullable Document after) {
        return Objects.requireNonNull(after, "A findAndModify with returnDocument AFTER returned no document");
    }

    static String idIn(BsonDocument event) {
        return event.getDocument("documentKey").getString("_id").getValue();
    }

    static FindOneAndUpdateOptions options() {
        return new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER);
    }
}
