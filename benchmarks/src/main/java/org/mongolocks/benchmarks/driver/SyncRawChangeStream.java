package org.mongolocks.benchmarks.driver;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.mongolocks.benchmarks.driver.RawCommands.DriverCollection;

/** A raw change stream of the synchronous driver. The thread that waits for an event reads the stream itself. */
final class SyncRawChangeStream implements RawChangeStream {
    private final MongoCollection<Document> collection;
    private final MongoCursor<BsonDocument> events;
    private final Map<String, Long> delivered = new HashMap<>();

    SyncRawChangeStream(MongoCollection<Document> collection, List<? extends Bson> pipeline) {
        this.collection = collection;
        this.events = collection
                .watch(pipeline)
                .maxAwaitTime(AWAIT_MILLIS, TimeUnit.MILLISECONDS)
                .withDocumentClass(BsonDocument.class)
                .cursor();
    }

    @Override
    public void insert(String id) {
        collection.insertOne(new Document("_id", id));
    }

    @Override
    public Document change(String id, Bson change) {
        return DriverCollection.changed(collection.findOneAndUpdate(eq("_id", id), change, DriverCollection.upsert()));
    }

    @Override
    public void await(String id, long times) {
        while (delivered.getOrDefault(id, 0L) < times) {
            BsonDocument event = events.tryNext();
            if (event != null) {
                delivered.merge(RawChangeStream.idIn(event), 1L, Long::sum);
            }
        }
    }

    @Override
    public Document changeAfter(long times, String id, Bson change) {
        await(id, times);
        return change(id, change);
    }

    @Override
    public void close() {
        events.close();
    }
}
