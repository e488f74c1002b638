package org.mongolocks.benchmarks.harness;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.ne;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;

import com.mongodb.ReadConcern;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.client.RawFloor;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Contender.Kind;
import org.mongolocks.benchmarks.result.Contender.Properties;
import org.mongolocks.benchmarks.rival.CountedMongo;
import org.mongolocks.benchmarks.rival.Grant;
import org.mongolocks.benchmarks.rival.Party;
import org.mongolocks.benchmarks.rival.Rival;
import org.mongolocks.benchmarks.rival.Waiting;

/**
 * Is what no hand-off can be faster than that is told by MongoDB and as durable: a write that removes the owner, the event
 * of that write, and one {@code findAndModify} that sets the next. It only works for two who take turns.
 */
final class HandOffFloor implements Rival {
    static final String ID = "floor-hand-off";

    static final Contender CONTENDER = Contender.of(
            ID,
            Kind.FLOOR,
            "release write, change-stream event, findAndModify",
            Properties.ofFloor("majority and journal"));

    private static final String OWNER = "owner";
    private static final String LAST = "last";
    private static final String FENCE = "fence";

    private final Set<String> begun = ConcurrentHashMap.newKeySet();
    private final CountedMongo mongo;
    private final MongoCollection<Document> collection;

    HandOffFloor(Workbench bench) {
        this.mongo = new CountedMongo(bench);
        this.collection = mongo.collection("hand-off")
                .withReadConcern(ReadConcern.MAJORITY)
                .withWriteConcern(RawFloor.DURABLE);
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public Party open() {
        return new TakingTurns(UUID.randomUUID().toString());
    }

    @Override
    public Waiting waiting() {
        return Waiting.TOLD;
    }

    @Override
    public OptionalLong commands() {
        return mongo.commands();
    }

    @Override
    public void close() {
        mongo.close();
    }

    private final class TakingTurns implements Party {
        private final String id;
        private final MongoChangeStreamCursor<ChangeStreamDocument<Document>> releases;

        TakingTurns(String id) {
            this.id = id;
            this.releases = collection
                    .watch(List.of(Aggregates.match(com.mongodb.client.model.Filters.and(
                            eq("updateDescription.removedFields", OWNER),
                            ne("updateDescription.updatedFields." + LAST, id)))))
                    .maxAwaitTime(1, TimeUnit.SECONDS)
                    .cursor();
        }

        @Override
        public Optional<Grant> acquire(LockRequest request) {
            String name = request.name().value();
            if (!begun.add(name)) {
                awaitRelease(name);
            }
            Document taken = Objects.requireNonNull(
                    collection.findOneAndUpdate(eq("_id", name), combine(set(OWNER, id), inc(FENCE, 1L)), options()));
            return Optional.of(new Taken(name, taken.getLong(FENCE)));
        }

        private void awaitRelease(String name) {
            BsonDocument key = new BsonDocument("_id", new BsonString(name));
            ChangeStreamDocument<Document> change = null;
            while (change == null || !key.equals(change.getDocumentKey())) {
                change = releases.tryNext();
            }
        }

        @Override
        public void close() {
            releases.close();
        }

        private final class Taken implements Grant {
            private final Bson document;
            private final long fence;

            Taken(String name, long fence) {
                this.document = eq("_id", name);
                this.fence = fence;
            }

            @Override
            public OptionalLong fencingToken() {
                return OptionalLong.of(fence);
            }

            @Override
            public boolean release() {
                return collection.findOneAndUpdate(document, combine(unset(OWNER), set(LAST, id)), options()) != null;
            }
        }
    }

    private static FindOneAndUpdateOptions options() {
        return new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER);
    }
}
