package org.mongolocks.embedded.internal.index;

import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Map.Entry;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.query.FilterParser;

/** Checks the filter of a partial index, for which a few operators only are allowed. */
final class PartialFilters {
    private static final Set<String> ALLOWED = Set.of("$eq", "$lt", "$lte", "$gt", "$gte", "$exists", "$type");

    private PartialFilters() {}

    static void check(Document expression) {
        FilterParser.parse(expression, Scope.timeless());
        check(expression, 0);
    }

    private static void check(Document expression, int depth) {
        for (Entry<String, Object> entry : expression.entrySet()) {
            if (entry.getKey().equals("$and") && depth == 0) {
                for (Object part : (List<?>) entry.getValue()) {
                    check((Document) part, depth + 1);
                }
            } else if (entry.getKey().startsWith("$")) {
                throw unsupported(expression);
            } else if (entry.getValue() instanceof BsonRegularExpression) {
                throw unsupported(expression);
            } else if (entry.getValue() instanceof Document operators) {
                checkOperators(operators);
            }
        }
    }

    private static void checkOperators(Document operators) {
        operators.forEach((operator, value) -> {
            if (operator.startsWith("$") && !isAllowed(operator, value)) {
                throw unsupported(operators);
            }
        });
    }

    private static boolean isAllowed(String operator, @Nullable Object value) {
        return ALLOWED.contains(operator) && (!operator.equals("$exists") || Values.isTrue(value));
    }

    private static RuntimeException unsupported(Document expression) {
        return IndexSpecParser.cannotCreate("Expression not supported in partial index: " + ShellText.of(expression));
    }
}
