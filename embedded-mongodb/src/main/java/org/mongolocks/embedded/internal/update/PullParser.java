package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.query.FilterParser;

/** Reads what {@code $pull} and {@code $pullAll} take away. */
final class PullParser {
    // The element stands under this name while operators look at it.
    private static final String ELEMENT = "element";

    private static final Set<String> LOGICAL = Set.of("$and", "$or", "$nor", "$expr", "$comment", "$jsonSchema");

    private PullParser() {}

    static Modifier pull(@Nullable Object argument, Scope scope) {
        return new ArrayModifiers.Pull("$pull", predicate(argument, scope));
    }

    private static Predicate<@Nullable Object> predicate(@Nullable Object argument, Scope scope) {
        boolean isOperators = argument instanceof Document document && startsWithOperator(document);
        if (isOperators || argument instanceof BsonRegularExpression) {
            return byOperators(argument, scope);
        }
        if (argument instanceof Document fields) {
            Filter filter = FilterParser.parse(fields, scope);
            return element -> element instanceof Document document && filter.matches(document);
        }
        return element -> ValueOrder.same(element, argument, scope.collation());
    }

    // What joins whole filters is about embedded documents, not about the element itself.
    private static boolean startsWithOperator(Document document) {
        String first = document.isEmpty() ? "" : document.keySet().iterator().next();
        return first.startsWith("$") && !LOGICAL.contains(first);
    }

    private static Predicate<@Nullable Object> byOperators(@Nullable Object condition, Scope scope) {
        Filter filter = FilterParser.parse(new Document(ELEMENT, condition), scope);
        return element -> filter.matches(new Document(ELEMENT, element));
    }

    static Modifier pullAll(@Nullable Object argument, Scope scope) {
        if (!(argument instanceof List<?> values)) {
            throw UpdateError.badValue("$pullAll requires an array argument but was given a "
                    + BsonKind.of(argument).alias());
        }
        return new ArrayModifiers.Pull(
                "$pullAll",
                element -> values.stream().anyMatch(value -> ValueOrder.same(value, element, scope.collation())));
    }
}
