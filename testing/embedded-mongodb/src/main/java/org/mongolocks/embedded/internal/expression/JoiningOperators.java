package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;

/** {@code $concat}, {@code $concatArrays} and {@code $mergeObjects}: one string, array or document made of several. */
final class JoiningOperators {
    static final Map<String, Operator> ALL = Map.of(
            "$concat", Operator.variadic(JoiningOperators::concat),
            "$concatArrays", Operator.variadic(JoiningOperators::concatArrays),
            "$mergeObjects", Operator.variadic(JoiningOperators::mergeObjects));

    private JoiningOperators() {}

    private static @Nullable Object concat(Arguments arguments) {
        StringBuilder text = new StringBuilder();
        for (Object value : arguments.values()) {
            if (Values.isNullish(value)) {
                return null;
            }
            if (!(value instanceof String string)) {
                throw new CommandError(16702, "$concat only supports strings, not " + BsonKind.nameOf(value));
            }
            text.append(string);
        }
        return text.toString();
    }

    private static @Nullable Object concatArrays(Arguments arguments) {
        List<@Nullable Object> all = new ArrayList<>();
        for (Object value : arguments.values()) {
            if (Values.isNullish(value)) {
                return null;
            }
            if (!(value instanceof List<?> array)) {
                throw new CommandError(28664, "$concatArrays only supports arrays, not " + BsonKind.nameOf(value));
            }
            all.addAll(array);
        }
        return all;
    }

    private static Object mergeObjects(Arguments arguments) {
        boolean isArray = arguments.size() == 1 && arguments.get(0) instanceof List;
        Document merged = new Document();
        for (Object value : isArray ? arguments.array(0, 40400) : arguments.values()) {
            if (value instanceof Document document) {
                merged.putAll(document);
            } else if (!Values.isNullish(value)) {
                throw new CommandError(
                        40400, "$mergeObjects requires object inputs, but input is of type " + BsonKind.nameOf(value));
            }
        }
        return merged;
    }
}
