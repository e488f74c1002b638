package org.mongolocks.contract.broken;

import java.util.List;
import java.util.function.UnaryOperator;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.FindMany;
import org.mongolocks.spi.MongoOp.FindOneAndUpdate;
import org.mongolocks.spi.MongoOp.UpdateOne;
import org.mongolocks.spi.MongoOp.UpdateSpec;

/** Mutations of operations that store or query the wrong thing. */
final class StoredMistakes {
    private StoredMistakes() {}

    static MongoOp acquiringWithoutMark(MongoOp op) {
        BsonString mark = new BsonString("$format");
        FindOneAndUpdate write = (FindOneAndUpdate) changed(op, "$ne", arguments -> new BsonArray(List.of(mark, mark)));
        return new FindOneAndUpdate(
                op.label(),
                write.collection(),
                without("format", write.filter()),
                write.change(),
                write.upsert(),
                write.projection());
    }

    static MongoOp renewingWithoutMark(MongoOp op) {
        UpdateOne write = (UpdateOne) op;
        return new UpdateOne(
                op.label(), write.collection(), without("format", write.filter()), write.change(), write.upsert());
    }

    /** Some documents cannot be changed, and neither can their clones. */
    private static BsonDocument without(String key, BsonDocument document) {
        BsonDocument without = new BsonDocument();
        without.putAll(document);
        without.remove(key);
        return without;
    }

    static MongoOp leavingTheHolder(MongoOp op) {
        UpdateOne write = (UpdateOne) op;
        BsonDocument operators = ((UpdateSpec.Operators) write.change()).operators();
        BsonDocument leaving = replaced(operators, "$unset", fields -> without("holder", fields.asDocument()))
                .asDocument();
        return new UpdateOne(
                op.label(), write.collection(), write.filter(), UpdateSpec.operators(leaving), write.upsert());
    }

    static MongoOp evaluatingTheHolder(MongoOp op) {
        return changed(op, "holder", holder -> holder.asDocument().get("$literal"));
    }

    static MongoOp keepingTheHolder(MongoOp op) {
        return changed(
                op,
                "holder",
                holder -> holder.asDocument().getDocument("$literal").isEmpty() ? new BsonString("$holder") : holder);
    }

    static MongoOp matchingPatterns(MongoOp op) {
        FindMany find = (FindMany) op;
        BsonDocument filter = find.filter().clone();
        String prefix = filter.getDocument("_id").getString("$gte").getValue();
        filter.put("_id", new BsonDocument("$regex", new BsonString("^" + prefix)));
        return new FindMany(op.label(), find.collection(), filter, find.projection(), find.limit());
    }

    static MongoOp withoutExpressions(MongoOp op) {
        FindMany find = (FindMany) op;
        BsonDocument filter = without("$expr", find.filter());
        return new FindMany(op.label(), find.collection(), filter, find.projection(), find.limit());
    }

    private static MongoOp changed(MongoOp op, String key, UnaryOperator<BsonValue> other) {
        FindOneAndUpdate write = (FindOneAndUpdate) op;
        List<BsonDocument> stages = ((UpdateSpec.Pipeline) write.change())
                .stages().stream()
                        .map(stage -> replaced(stage, key, other).asDocument())
                        .toList();
        return new FindOneAndUpdate(
                op.label(),
                write.collection(),
                write.filter(),
                new UpdateSpec.Pipeline(stages),
                write.upsert(),
                write.projection());
    }

    private static BsonValue replaced(BsonValue value, String key, UnaryOperator<BsonValue> other) {
        if (value.isArray()) {
            BsonArray array = new BsonArray();
            value.asArray().forEach(element -> array.add(replaced(element, key, other)));
            return array;
        }
        if (!value.isDocument()) {
            return value;
        }
        BsonDocument document = new BsonDocument();
        value.asDocument()
                .forEach((name, field) ->
                        document.put(name, name.equals(key) ? other.apply(field) : replaced(field, key, other)));
        return document;
    }
}
