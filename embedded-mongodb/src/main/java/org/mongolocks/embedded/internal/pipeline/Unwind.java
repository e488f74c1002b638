package org.mongolocks.embedded.internal.pipeline;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.expression.FieldPaths;
import org.mongolocks.embedded.internal.expression.Scope;

/** {@code $unwind}: one document for each element of an array. */
record Unwind(FieldPath path, boolean keepsEmpty, @Nullable String indexField) implements Stage {
    static Unwind parse(@Nullable Object argument) {
        if (argument instanceof String path) {
            return new Unwind(path(path), false, null);
        }
        if (!(argument instanceof Document options)) {
            throw new CommandError(15981, "expected either a string or an object as specification for $unwind stage");
        }
        for (String name : options.keySet()) {
            if (!List.of("path", "preserveNullAndEmptyArrays", "includeArrayIndex")
                    .contains(name)) {
                throw new CommandError(28811, "unrecognized option to $unwind stage: " + name);
            }
        }
        return parse(options);
    }

    private static Unwind parse(Document options) {
        if (!options.containsKey("path")) {
            throw new CommandError(28812, "no path specified to $unwind stage");
        }
        if (!(options.get("path") instanceof String path)) {
            throw new CommandError(28808, "expected a string as the path for $unwind stage");
        }
        Object keeps = options.getOrDefault("preserveNullAndEmptyArrays", false);
        if (!(keeps instanceof Boolean keepsEmpty)) {
            throw new CommandError(
                    28809, "expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage");
        }
        Object index = options.get("includeArrayIndex");
        if (options.containsKey("includeArrayIndex") && !(index instanceof String)) {
            throw new CommandError(
                    28810, "expected a non-empty string for the includeArrayIndex option to $unwind stage");
        }
        return new Unwind(path(path), keepsEmpty, (String) index);
    }

    private static FieldPath path(String text) {
        if (!text.startsWith("$")) {
            throw new CommandError(28818, "path option to $unwind stage should be prefixed with a '$': " + text);
        }
        return FieldPaths.checked(text.substring(1));
    }

    @Override
    public List<Document> run(List<Document> documents, Scope scope) {
        List<Document> results = new ArrayList<>();
        for (Document document : documents) {
            unwind(document, results);
        }
        return results;
    }

    private void unwind(Document document, List<Document> results) {
        Object value = path.in(document);
        if (value instanceof List<?> array && !array.isEmpty()) {
            for (int i = 0; i < array.size(); i++) {
                results.add(with(document, array.get(i), (long) i));
            }
        } else if (value instanceof List) {
            if (keepsEmpty) {
                results.add(with(document, Absence.MISSING, null));
            }
        } else if (keepsEmpty || !Absence.isNullish(value)) {
            results.add(with(document, value, null));
        }
    }

    private Document with(Document document, @Nullable Object value, @Nullable Long index) {
        Document result = replaced(document, 0, value);
        if (indexField != null) {
            result.put(indexField, index);
        }
        return result;
    }

    private Document replaced(Document document, int depth, @Nullable Object value) {
        Document result = document.clone();
        String name = path.part(depth);
        if (!path.isLast(depth)) {
            if (document.get(name) instanceof Document inner) {
                result.put(name, replaced(inner, depth + 1, value));
            }
        } else if (Absence.isMissing(value)) {
            result.remove(name);
        } else {
            result.put(name, value);
        }
        return result;
    }
}
