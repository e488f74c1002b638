package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.Values;

/** A parsed aggregation expression. */
@FunctionalInterface
public interface Expression {
    /** The value, which may be null or {@link Values#MISSING}. */
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
                if (!Values.isMissing(value)) {
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
                result.add(Values.toNull(element.evaluate(scope)));
            }
            return result;
        }
    }

    /** A field of the document ({@code "$a.b"}) or of a variable ({@code "$$v.a"}). */
    record Path(String variable, @Nullable FieldPath path) implements Expression {
        @Override
        public @Nullable Object evaluate(Scope scope) {
            Object value = variable.isEmpty() ? scope.document() : scope.variable(variable);
            return path == null ? value : follow(value, path, 0);
        }

        /** The value at a path below a value, as expressions see it. */
        static @Nullable Object follow(@Nullable Object value, FieldPath path, int depth) {
            if (value instanceof Document document) {
                Object field = document.getOrMissing(path.part(depth));
                return path.isLast(depth) ? field : follow(field, path, depth + 1);
            }
            if (value instanceof List) {
                throw FieldPath.throughArray(path);
            }
            return Values.MISSING;
        }
    }
}
