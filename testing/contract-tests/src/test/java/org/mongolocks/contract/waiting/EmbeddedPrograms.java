package org.mongolocks.contract.waiting;

import com.mongodb.MongoCommandException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.result.UpdateResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.mongolocks.LockName;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.embedded.MovableClock;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** A server whose clock a test moves, and on which programs run without a client: one operation after another. */
public final class EmbeddedPrograms implements AutoCloseable {
    private static final int DUPLICATE_KEY = 11_000;

    private final MovableClock clock = MovableClock.startingAt(Instant.parse("2026-01-02T03:04:05Z"));
    private final EmbeddedMongo server = EmbeddedMongo.builder().clock(clock).start();
    private final MongoClient mongo = MongoClients.create(server.connectionString());
    private final MongoDatabase database = mongo.getDatabase("test");
    private final ClientSession session = mongo.startSession();

    /** Moves the clock of the server. */
    public void advance(Duration time) {
        clock.advance(time);
    }

    public Instant now() {
        return clock.instant();
    }

    /** Returns a collection by the name that an operation has. */
    public MongoCollection<BsonDocument> collection(String name) {
        return database.getCollection(name, BsonDocument.class);
    }

    /** Returns the stored document of a lock, empty if there is none. */
    public BsonDocument stored(LockName name) {
        BsonDocument stored = collection(LockSchema.LOCKS)
                .find(new BsonDocument("_id", new BsonString(name.value())))
                .first();
        return stored == null ? new BsonDocument() : stored;
    }

    /** Returns the number of writes so far. */
    public long writes() {
        return mongo.getDatabase("local").getCollection("oplog.rs").countDocuments();
    }

    /** Deletes all documents. */
    public void clear() {
        database.drop();
    }

    /** Runs a program to its end. */
    public <R> R run(Step<R> program) {
        Step<R> step = program;
        while (step instanceof Step.Call<R> call) {
            step = call.then().apply(send(call.op()));
        }
        if (step instanceof Step.Done<R> done) {
            return done.result();
        }
        throw new AssertionError("The program must be done, was " + step);
    }

    private Reply send(MongoOp op) {
        try {
            return executed(op);
        } catch (MongoCommandException e) {
            if (e.getErrorCode() == DUPLICATE_KEY) {
                return new Reply.Failed(Fault.DUPLICATE_KEY, e);
            }
            throw e;
        }
    }

    private Reply executed(MongoOp op) {
        if (op instanceof MongoOp.FindOneAndUpdate update) {
            return new Reply.Found(Optional.ofNullable(findOneAndUpdate(update)));
        }
        if (op instanceof MongoOp.UpdateOne update) {
            return counted(update.collection(), update.filter(), update.change(), update.upsert());
        }
        if (op instanceof MongoOp.BulkUpdate bulk) {
            long matched = bulk.updates().stream()
                    .mapToLong(each -> counted(bulk.collection(), each.filter(), each.change(), false)
                            .matched())
                    .sum();
            return new Reply.Counted(matched, false);
        }
        if (op instanceof MongoOp.FindOne find) {
            return new Reply.Found(Optional.ofNullable(collection(find.collection())
                    .find(session, find.filter())
                    .projection(find.projection().orElse(null))
                    .first()));
        }
        if (op instanceof MongoOp.FindMany find) {
            return new Reply.FoundMany(collection(find.collection())
                    .find(session, find.filter())
                    .projection(find.projection().orElse(null))
                    .sort(new BsonDocument("_id", new BsonInt32(1)))
                    .limit(find.limit())
                    .into(new ArrayList<>()));
        }
        if (op instanceof MongoOp.DeleteOne delete) {
            long deleted = collection(delete.collection())
                    .deleteOne(session, delete.filter())
                    .getDeletedCount();
            return new Reply.Counted(deleted, false);
        }
        switch (((MongoOp.Transaction) op).boundary()) {
            case START -> session.startTransaction();
            case COMMIT -> session.commitTransaction();
            case ABORT -> session.abortTransaction();
        }
        return new Reply.Acknowledged();
    }

    private BsonDocument findOneAndUpdate(MongoOp.FindOneAndUpdate op) {
        MongoCollection<BsonDocument> collection = collection(op.collection());
        FindOneAndUpdateOptions options = new FindOneAndUpdateOptions()
                .returnDocument(ReturnDocument.AFTER)
                .upsert(op.upsert())
                .projection(op.projection().orElse(null));
        return op.change() instanceof UpdateSpec.Pipeline pipeline
                ? collection.findOneAndUpdate(session, op.filter(), pipeline.stages(), options)
                : collection.findOneAndUpdate(
                        session, op.filter(), ((UpdateSpec.Operators) op.change()).operators(), options);
    }

    private Reply.Counted counted(String name, BsonDocument filter, UpdateSpec change, boolean upsert) {
        MongoCollection<BsonDocument> collection = collection(name);
        UpdateOptions options = new UpdateOptions().upsert(upsert);
        UpdateResult result = change instanceof UpdateSpec.Pipeline pipeline
                ? collection.updateOne(session, filter, pipeline.stages(), options)
                : collection.updateOne(session, filter, ((UpdateSpec.Operators) change).operators(), options);
        return new Reply.Counted(result.getMatchedCount(), result.getUpsertedId() != null);
    }

    @Override
    public void close() {
        session.close();
        mongo.close();
        server.close();
    }
}
