package org.mongolocks.server;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;

/**
 * Data that a lock protects: a document that is read, changed and written back without any atomic operation. Two
 * callers at the same time lose an update or meet here; a token that is not larger than the one before is detected
 * too. It is read from the primary and written with majority, whatever the connection string says, because stale reads
 * would look like violations.
 */
public final class RacyCounter {
    private final MongoCollection<Document> collection;
    private final String id;
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger violations = new AtomicInteger();

    public RacyCounter(MongoCollection<Document> collection, String id) {
        this.collection = collection
                .withWriteConcern(WriteConcern.MAJORITY)
                .withReadConcern(ReadConcern.LOCAL)
                .withReadPreference(ReadPreference.primary());
        this.id = id;
        this.collection.insertOne(new Document("_id", id).append("visits", 0).append("token", 0L));
    }

    public void increment(long token) {
        boolean alone = inside.incrementAndGet() == 1;
        Document before = collection.find(eq("_id", id)).first();
        boolean ordered = before != null && token > before.getLong("token");
        int visits = before == null ? 0 : before.getInteger("visits");
        collection.updateOne(eq("_id", id), combine(set("visits", visits + 1), set("token", token)));
        alone &= inside.decrementAndGet() == 0;
        if (!alone || !ordered) {
            violations.incrementAndGet();
        }
    }

    public void assertVisits(int expected) {
        assertThat(violations)
                .as("visits that overlapped, or whose token was not larger")
                .hasValue(0);
        assertThat(collection.find(eq("_id", id)).first()).containsEntry("visits", expected);
    }
}
