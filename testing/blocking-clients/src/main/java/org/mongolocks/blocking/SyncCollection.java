package org.mongolocks.blocking;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.ReadConcern;
import com.mongodb.TransactionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;

/** A collection of the synchronous driver. */
record SyncCollection(MongoClient mongo, MongoCollection<Document> collection) implements DriverCollection {
    @Override
    public void ping() {
        mongo.getDatabase("admin").runCommand(DriverConnection.PING);
    }

    @Override
    public void insert(Document document) {
        collection.insertOne(document);
    }

    @Override
    public void delete(Bson filter) {
        collection.deleteOne(filter);
    }

    @Override
    public Document change(Bson filter, Bson change) {
        return DriverCollection.changed(collection.findOneAndUpdate(filter, change, DriverCollection.upsert()));
    }

    @Override
    public Document readAndChange(Bson filter, Bson change) {
        collection.find(filter).first();
        return change(filter, change);
    }

    @Override
    public void insertInTransaction(Document document) {
        try (ClientSession session = mongo.startSession()) {
            session.startTransaction(TransactionOptions.builder()
                    .writeConcern(collection.getWriteConcern())
                    .build());
            collection.insertOne(session, document);
            session.commitTransaction();
        }
    }

    @Override
    public Events watch(List<? extends Bson> pipeline) {
        return new SyncEvents(
                this,
                collection
                        .withReadConcern(ReadConcern.MAJORITY)
                        .watch(pipeline)
                        .maxAwaitTime(Events.AWAIT_MILLIS, TimeUnit.MILLISECONDS)
                        .withDocumentClass(BsonDocument.class)
                        .cursor(),
                new HashMap<>());
    }

    /** The thread that waits for an event reads the stream itself. */
    private record SyncEvents(SyncCollection watched, MongoCursor<BsonDocument> stream, Map<String, Long> delivered)
            implements Events {
        @Override
        public void await(String id, long times) {
            while (delivered.getOrDefault(id, 0L) < times) {
                BsonDocument event = stream.tryNext();
                if (event != null) {
                    delivered.merge(DriverCollection.idIn(event), 1L, Long::sum);
                }
            }
        }

        @Override
        public Document changeAfter(long times, String id, Bson change) {
            await(id, times);
            return watched.change(eq("_id", id), change);
        }

        @Override
        public void close() {
            stream.close();
        }
    }
}
