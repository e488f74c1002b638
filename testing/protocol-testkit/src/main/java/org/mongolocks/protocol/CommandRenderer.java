package org.mongolocks.protocol;

import java.util.Locale;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.mongolocks.internal.run.OperationVisitor;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;

/** The rendering of operations as MongoDB commands. */
final class CommandRenderer implements OperationVisitor<BsonDocument> {
    private static final JsonWriterSettings ONE_LINE =
            JsonWriterSettings.builder().outputMode(JsonMode.SHELL).build();
    private static final JsonWriterSettings INDENTED =
            JsonWriterSettings.builder().outputMode(JsonMode.SHELL).indent(true).build();

    private CommandRenderer() {}

    static BsonDocument of(MongoOp op) {
        return new CommandRenderer().visit(op);
    }

    static String inOneLine(BsonDocument document) {
        return document.toJson(ONE_LINE);
    }

    static String indented(BsonDocument document) {
        return document.toJson(INDENTED);
    }

    @Override
    public BsonDocument insertOne(MongoOp.InsertOne op) {
        return command("insert", op.collection()).append("document", op.document());
    }

    @Override
    public BsonDocument findOne(MongoOp.FindOne op) {
        BsonDocument command = command("find", op.collection()).append("filter", op.filter());
        op.projection().ifPresent(projection -> command.append("projection", projection));
        return command;
    }

    @Override
    public BsonDocument findMany(MongoOp.FindMany op) {
        BsonDocument command = command("find", op.collection()).append("filter", op.filter());
        op.projection().ifPresent(projection -> command.append("projection", projection));
        return command.append("sort", new BsonDocument("_id", new BsonInt32(1)))
                .append("limit", new BsonInt32(op.limit()));
    }

    @Override
    public BsonDocument updateOne(MongoOp.UpdateOne op) {
        return changing(command("update", op.collection()), op.filter(), op.change(), op.upsert());
    }

    @Override
    public BsonDocument updateEach(MongoOp.BulkUpdate op) {
        BsonArray updates = new BsonArray();
        op.updates().forEach(each -> updates.add(changing(new BsonDocument(), each.filter(), each.change(), false)));
        return command("update", op.collection()).append("updates", updates);
    }

    @Override
    public BsonDocument findOneAndUpdate(MongoOp.FindOneAndUpdate op) {
        BsonDocument command = command("findAndModify", op.collection());
        changing(command, op.filter(), op.change(), op.upsert());
        op.projection().ifPresent(projection -> command.append("fields", projection));
        return command;
    }

    @Override
    public BsonDocument deleteOne(MongoOp.DeleteOne op) {
        return command("delete", op.collection()).append("query", op.filter());
    }

    @Override
    public BsonDocument transaction(MongoOp.Transaction op) {
        return bare(op.boundary().name().toLowerCase(Locale.ROOT) + "Transaction");
    }

    @Override
    public BsonDocument hello(MongoOp.Hello op) {
        return bare(op.command());
    }

    @Override
    public BsonDocument readSchema(MongoOp.ReadSchema op) {
        return command("readSchema", op.collection())
                .append("part", new BsonString(op.part().name()));
    }

    @Override
    public BsonDocument createCollection(MongoOp.CreateCollection op) {
        BsonDocument command = command("create", op.collection().name());
        op.collection()
                .ttl()
                .ifPresent(ttl -> command.append("ttl", new BsonString(ttl.field()))
                        .append("expireAfterSeconds", new BsonInt64(ttl.after().toSeconds())));
        return command;
    }

    private static BsonDocument bare(String command) {
        return new BsonDocument(command, new BsonInt32(1));
    }

    private static BsonDocument command(String command, String collection) {
        return new BsonDocument(command, new BsonString(collection));
    }

    private static BsonDocument changing(BsonDocument command, BsonDocument filter, UpdateSpec change, boolean upsert) {
        command.append("query", filter).append("update", update(change));
        return upsert ? command.append("upsert", BsonBoolean.TRUE) : command;
    }

    private static BsonValue update(UpdateSpec change) {
        if (change instanceof UpdateSpec.Pipeline pipeline) {
            return new BsonArray(pipeline.stages());
        }
        return ((UpdateSpec.Operators) change).operators();
    }
}
