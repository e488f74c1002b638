package org.mongolocks.study.sim.net;

import static org.mongolocks.spi.MongoOp.Transaction.Boundary.COMMIT;

import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.internal.run.OperationVisitor;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;

/** Converts operations into the commands that the driver sends for them. */
public final class Commands implements OperationVisitor<BsonDocument> {
    public static final String DATABASE = "study";

    private static final BsonValue ONE = new BsonInt32(1);

    private final UnaryOperator<String> collections;
    private final Supplier<BsonObjectId> ids;

    /**
     * Creates a converter.
     *
     * @param collections returns the real name of a collection
     * @param ids returns ids for documents without one
     */
    public Commands(UnaryOperator<String> collections, Supplier<BsonObjectId> ids) {
        this.collections = collections;
        this.ids = ids;
    }

    @Override
    public BsonDocument insertOne(MongoOp.InsertOne op) {
        BsonDocument document = op.document();
        if (!document.containsKey("_id")) {
            document = new BsonDocument("_id", ids.get());
            document.putAll(op.document());
        }
        return command("insert", op.collection()).append("documents", new BsonArray(List.of(document)));
    }

    @Override
    public BsonDocument findOne(MongoOp.FindOne op) {
        BsonDocument find = command("find", op.collection())
                .append("filter", op.filter())
                .append("limit", ONE)
                .append("singleBatch", BsonBoolean.TRUE);
        op.projection().ifPresent(projection -> find.append("projection", projection));
        return find;
    }

    @Override
    public BsonDocument findMany(MongoOp.FindMany op) {
        BsonDocument find = command("find", op.collection())
                .append("filter", op.filter())
                .append("sort", new BsonDocument("_id", ONE))
                .append("limit", new BsonInt32(op.limit()))
                .append("batchSize", new BsonInt32(op.limit() + 1));
        op.projection().ifPresent(projection -> find.append("projection", projection));
        return find;
    }

    @Override
    public BsonDocument updateOne(MongoOp.UpdateOne op) {
        BsonDocument update = statement(op.filter(), op.change()).append("upsert", BsonBoolean.valueOf(op.upsert()));
        return command("update", op.collection()).append("updates", new BsonArray(List.of(update)));
    }

    @Override
    public BsonDocument updateEach(MongoOp.BulkUpdate op) {
        List<BsonDocument> updates = op.updates().stream()
                .map(update -> statement(update.filter(), update.change()))
                .toList();
        return command("update", op.collection())
                .append("updates", new BsonArray(updates))
                .append("ordered", BsonBoolean.FALSE);
    }

    @Override
    public BsonDocument findOneAndUpdate(MongoOp.FindOneAndUpdate op) {
        BsonDocument change = command("findAndModify", op.collection())
                .append("query", op.filter())
                .append("update", update(op.change()))
                .append("new", BsonBoolean.TRUE)
                .append("upsert", BsonBoolean.valueOf(op.upsert()));
        op.projection().ifPresent(projection -> change.append("fields", projection));
        return change;
    }

    @Override
    public BsonDocument deleteOne(MongoOp.DeleteOne op) {
        BsonDocument delete = new BsonDocument("q", op.filter()).append("limit", ONE);
        return command("delete", op.collection()).append("deletes", new BsonArray(List.of(delete)));
    }

    /** The start of a transaction is not a command; the first statement carries it. */
    @Override
    public BsonDocument transaction(MongoOp.Transaction op) {
        String name = op.boundary() == COMMIT ? "commitTransaction" : "abortTransaction";
        return new BsonDocument(name, ONE).append("$db", new BsonString("admin"));
    }

    @Override
    public BsonDocument hello(MongoOp.Hello op) {
        return new BsonDocument(op.command(), ONE).append("$db", new BsonString("admin"));
    }

    @Override
    public BsonDocument readSchema(MongoOp.ReadSchema op) {
        String name = collections.apply(op.collection());
        return switch (op.part()) {
            case OPTIONS ->
                new BsonDocument("listCollections", ONE)
                        .append("filter", new BsonDocument("name", new BsonString(name)))
                        .append("cursor", new BsonDocument())
                        .append("$db", new BsonString(DATABASE));
            case INDEXES -> command("listIndexes", op.collection()).append("cursor", new BsonDocument());
            case SHARD_KEY ->
                new BsonDocument("find", new BsonString("collections"))
                        .append("filter", new BsonDocument("_id", new BsonString(DATABASE + "." + name)))
                        .append("$db", new BsonString("config"));
        };
    }

    @Override
    public BsonDocument createCollection(MongoOp.CreateCollection op) {
        String name = op.collection().name();
        return op.collection()
                .ttl()
                .map(ttl -> {
                    BsonDocument index = new BsonDocument("key", new BsonDocument(ttl.field(), ONE))
                            .append("name", new BsonString(ttl.field() + "_1"))
                            .append(
                                    "expireAfterSeconds",
                                    new BsonInt64(ttl.after().toSeconds()));
                    return command("createIndexes", name).append("indexes", new BsonArray(List.of(index)));
                })
                .orElseGet(() -> command("create", name));
    }

    private BsonDocument command(String name, String collection) {
        return new BsonDocument(name, new BsonString(collections.apply(collection)))
                .append("$db", new BsonString(DATABASE));
    }

    private static BsonDocument statement(BsonDocument filter, UpdateSpec change) {
        return new BsonDocument("q", filter).append("u", update(change));
    }

    private static BsonValue update(UpdateSpec change) {
        return change.fold(operators -> (BsonValue) operators, BsonArray::new);
    }
}
