package org.mongolocks.contract.broken;

import java.util.List;
import java.util.function.UnaryOperator;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.spi.MongoOp.UpdateSpec;

/** Filters and updates that store or query the wrong thing. */
final class StoredMistakes {
    private StoredMistakes() {}

    static BsonDocument withoutMark(BsonDocument filter) {
        return without("format", filter);
    }

    static BsonDocument withoutExpressions(BsonDocument filter) {
        return without("$expr", filter);
    }

    static BsonDocument matchingPatterns(BsonDocument filter) {
        String prefix = filter.getDocument("_id").getString("$gte").getValue();
        return filter.clone().append("_id", new BsonDocument("$regex", new BsonString("^" + prefix)));
    }

    static UpdateSpec acquiringWithoutMark(UpdateSpec update) {
        BsonString mark = new BsonString("$format");
        return changed(update, "$ne", arguments -> new BsonArray(List.of(mark, mark)));
    }

    static UpdateSpec leavingTheHolder(UpdateSpec update) {
        return changed(update, "$unset", fields -> without("holder", fields.asDocument()));
    }

    static UpdateSpec evaluatingTheHolder(UpdateSpec update) {
        return changed(update, "holder", holder -> holder.asDocument().get("$literal"));
    }

    static UpdateSpec keepingTheHolder(UpdateSpec update) {
        return changed(
                update,
                "holder",
                holder -> holder.asDocument().getDocument("$literal").isEmpty() ? new BsonString("$holder") : holder);
    }

    /** Some documents cannot be changed, and neither can their clones. */
    private static BsonDocument without(String key, BsonDocument document) {
        BsonDocument without = new BsonDocument();
        without.putAll(document);
        without.remove(key);
        return without;
    }

    private static UpdateSpec changed(UpdateSpec update, String key, UnaryOperator<BsonValue> other) {
        return update.fold(
                operators ->
                        UpdateSpec.operators(replaced(operators, key, other).asDocument()),
                stages -> new UpdateSpec.Pipeline(stages.stream()
                        .map(stage -> replaced(stage, key, other).asDocument())
                        .toList()));
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
