package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.BsonSize;
import org.mongolocks.embedded.internal.error.CommandError;

/** Functions of documents. */
final class ObjectOperators {
    static final Map<String, Operator> ALL = Map.of(
            "$mergeObjects", Operator.variadic(ObjectOperators::merge),
            "$objectToArray", Operator.fixed(1, ObjectOperators::toArray),
            "$arrayToObject", Operator.fixed(1, ObjectOperators::toObject),
            "$bsonSize", Operator.fixed(1, ObjectOperators::size));

    private ObjectOperators() {}

    private static Object merge(Arguments arguments) {
        boolean isArray = arguments.size() == 1 && arguments.get(0) instanceof List;
        Document merged = new Document();
        for (Object value : isArray ? arguments.array(0, 40400) : arguments.values()) {
            if (value instanceof Document document) {
                merged.putAll(document);
            } else if (!Absence.isNullish(value)) {
                throw new CommandError(
                        40400, "$mergeObjects requires object inputs, but input is of type " + Arguments.type(value));
            }
        }
        return merged;
    }

    private static @Nullable Object toArray(Arguments arguments) {
        Object value = arguments.get(0);
        if (Absence.isNullish(value)) {
            return null;
        }
        if (!(value instanceof Document document)) {
            throw new CommandError(40390, "$objectToArray requires a document input, found: " + Arguments.type(value));
        }
        List<@Nullable Object> pairs = new ArrayList<>();
        document.forEach((key, field) -> pairs.add(new Document("k", key).append("v", field)));
        return pairs;
    }

    private static @Nullable Object toObject(Arguments arguments) {
        if (arguments.anyNullish()) {
            return null;
        }
        Document object = new Document();
        for (Object pair : arguments.array(0, 40386)) {
            if (pair instanceof Document document) {
                putNamed(document, object);
            } else if (pair instanceof List) {
                putListed((List<?>) pair, object);
            } else {
                throw new CommandError(
                        40398, "Unrecognised input type format for $arrayToObject: " + Arguments.type(pair));
            }
        }
        return object;
    }

    private static void putNamed(Document pair, Document object) {
        if (pair.size() != 2) {
            throw new CommandError(40392, "$arrayToObject requires an object keys of 'k' and 'v'.");
        }
        if (!pair.containsKey("k") || !pair.containsKey("v")) {
            throw new CommandError(40393, "$arrayToObject requires an object with keys 'k' and 'v'.");
        }
        object.put(key(pair.get("k"), 40394), pair.get("v"));
    }

    private static void putListed(List<?> pair, Document object) {
        if (pair.size() != 2) {
            throw new CommandError(40397, "$arrayToObject requires an array of size 2 arrays");
        }
        object.put(key(pair.get(0), 40395), pair.get(1));
    }

    private static String key(@Nullable Object key, int code) {
        if (!(key instanceof String string)) {
            throw new CommandError(code, "$arrayToObject requires keys of type string, found: " + Arguments.type(key));
        }
        return string;
    }

    private static @Nullable Object size(Arguments arguments) {
        if (arguments.anyNullish()) {
            return null;
        }
        if (!(arguments.get(0) instanceof Document)) {
            throw new CommandError(
                    31393, "$bsonSize requires a document input, found: " + Arguments.type(arguments.get(0)));
        }
        return BsonSize.of((Document) arguments.get(0));
    }
}
