package org.mongolocks.embedded.internal.query;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code $all}: values that must all be there, or several {@code $elemMatch}. */
final class AllParser {
    private final ConditionParser conditions;

    AllParser(ConditionParser conditions) {
        this.conditions = conditions;
    }

    Condition parse(@Nullable Object value) {
        if (!(value instanceof Collection)) {
            throw FilterParser.bad("$all needs an array");
        }
        Collection<?> wanted = (Collection<?>) value;
        if (wanted.isEmpty()) {
            return new Condition.Never();
        }
        boolean isElemMatch = isElemMatch(wanted.iterator().next());
        List<Condition> parts = new ArrayList<>();
        for (Object part : wanted) {
            parts.add(isElemMatch ? elemMatch(part) : equality(part));
        }
        return new Condition.All(parts);
    }

    private static boolean isElemMatch(@Nullable Object value) {
        return value instanceof Document document && document.containsKey("$elemMatch");
    }

    private Condition elemMatch(@Nullable Object value) {
        if (value instanceof Document document && isElemMatch(document)) {
            return conditions.parseElemMatch(document.get("$elemMatch"));
        }
        throw FilterParser.bad("$all/$elemMatch has to be consistent");
    }

    private Condition equality(@Nullable Object value) {
        if (ConditionParser.isOperators(value)) {
            throw FilterParser.bad("no $ expressions in $all");
        }
        return conditions.parse(value);
    }
}
