package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;

/** A parsed aggregation expression. */
@FunctionalInterface
public interface Expression {
    /** The value, which may be null or {@link Absence#MISSING}. */
    @Nullable
    Object evaluate(Scope scope);

    /** A value that does not depend on anything. */
    record Constant(@Nullable Object value) implements Expression {
        @Override
        public @Nullable Object evaluate(Scope scope) {
            return value;
        }
    }

    /** A document with computed fields; a missing value leaves its field out. */
    record Fields(Map<String, Expression> fields) implements Expression {
        @Override
        public Object evaluate(Scope scope) {
            Document result = new Document();
            fields.forEach((name, expression) -> {
                Object value = expression.evaluate(scope);
                if (!Absence.isMissing(value)) {
                    result.put(name, value);
                }
            });
            return result;
        }
    }

    /** An array with computed elements; a missing value is a null. */
    record Elements(List<Expression> elements) implements Expression {
        @Override
        public Object evaluate(Scope scope) {
            List<@Nullable Object> result = new ArrayList<>(elements.size());
            for (Expression element : elements) {
                result.add(Absence.toNull(element.evaluate(scope)));
            }
            return result;
        }
    }
}
