package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.FieldPath;

/** A field of the document ({@code "$a.b"}) or of a variable ({@code "$$v.a"}); arrays on the way give arrays. */
record PathExpression(String variable, @Nullable FieldPath path) implements Expression {
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
        return value instanceof List ? eachOf((List<?>) value, path, depth) : Absence.MISSING;
    }

    private static Object eachOf(List<?> array, FieldPath path, int depth) {
        List<@Nullable Object> found = new ArrayList<>(array.size());
        for (Object element : array) {
            Object value = follow(element, path, depth);
            if (!Absence.isMissing(value)) {
                found.add(value);
            }
        }
        return found;
    }
}
