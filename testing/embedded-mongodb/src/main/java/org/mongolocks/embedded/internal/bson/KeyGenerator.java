package org.mongolocks.embedded.internal.bson;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/**
 * Gives the keys of a document in an index: one, or one for each element of an array. A value is null where nothing is, and missing
 * for an empty array, which sorts before null.
 */
public final class KeyGenerator {
    private final List<List<@Nullable Object>> keys = new ArrayList<>();

    private KeyGenerator() {}

    public static List<List<@Nullable Object>> keys(Document document, List<FieldPath> paths) {
        Object only = paths.size() == 1 ? paths.get(0).in(document) : Values.MISSING;
        // Most documents have a single value in the only field.
        if (!Values.isMissing(only) && !(only instanceof List)) {
            return List.of(Arrays.asList(only));
        }
        KeyGenerator generator = new KeyGenerator();
        List<Walker> walkers = new ArrayList<>();
        for (FieldPath path : paths) {
            walkers.add(new Walker(document, path, 0, false));
        }
        generator.expand(walkers);
        return generator.keys;
    }

    /**
     * How far the walk along one path has come.
     *
     * @param isOver whether the value is the one that belongs into the key
     */
    private record Walker(@Nullable Object value, FieldPath path, int depth, boolean isOver) {
        static Walker over(@Nullable Object value, FieldPath path) {
            return new Walker(value, path, path.length(), true);
        }

        boolean isAtEnd() {
            return depth == path.length();
        }

        /** As far as the path leads without a choice: to its end, or to an array that has to be expanded. */
        Walker advanced() {
            Walker walker = this;
            while (!walker.isOver && !walker.isAtEnd()) {
                Walker next = walker.step();
                if (next == null) {
                    return walker;
                }
                walker = next;
            }
            return walker.isOver || walker.value instanceof List ? walker : over(Values.toNull(walker.value), path);
        }

        // Null where an array leaves a choice.
        private @Nullable Walker step() {
            if (value instanceof Document document) {
                return new Walker(document.getOrMissing(path.part(depth)), path, depth + 1, false);
            }
            if (!(value instanceof List<?> array)) {
                return over(null, path);
            }
            int index = FieldPath.arrayIndex(path.part(depth));
            if (index < 0 || index >= array.size()) {
                return null;
            }
            PathValues.checkUnambiguous(array, path, depth);
            return new Walker(array.get(index), path, depth + 1, false);
        }

        Walker into(@Nullable Object element) {
            if (isAtEnd()) {
                return over(element, path);
            }
            return element instanceof Document ? new Walker(element, path, depth, false) : over(null, path);
        }

        // An empty array at the end of a path has a key of its own, before null.
        Walker emptied() {
            return over(isAtEnd() ? Values.MISSING : null, path);
        }
    }

    private void expand(List<Walker> walkers) {
        List<Walker> advanced = walkers.stream().map(Walker::advanced).toList();
        List<?> array = null;
        for (Walker walker : advanced) {
            if (!walker.isOver() && walker.value() instanceof List<?> found) {
                requireSame(array, found, walkers);
                array = found;
            }
        }
        if (array == null) {
            emit(advanced);
        } else {
            expandElements(advanced, array);
        }
    }

    private static void requireSame(@Nullable List<?> array, List<?> other, List<Walker> walkers) {
        if (array != null && array != other) {
            throw new CommandError(
                    ErrorCode.CANNOT_INDEX_PARALLEL_ARRAYS,
                    "cannot index parallel arrays "
                            + walkers.stream().map(Walker::path).toList());
        }
    }

    private void expandElements(List<Walker> walkers, List<?> array) {
        for (Object element : array) {
            expand(walkers.stream()
                    .map(walker -> walker.isOver() ? walker : walker.into(element))
                    .toList());
        }
        if (array.isEmpty()) {
            emit(walkers.stream()
                    .map(walker -> walker.isOver() ? walker : walker.emptied())
                    .toList());
        }
    }

    private void emit(List<Walker> walkers) {
        List<@Nullable Object> key = new ArrayList<>(walkers.size());
        for (Walker walker : walkers) {
            key.add(walker.value());
        }
        keys.add(key);
    }
}
