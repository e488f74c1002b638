package org.mongolocks.embedded.internal.index;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.PathValues;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** Gives the keys of a document in an index: one, or one for each element of an array. */
final class KeyGenerator {
    private final List<List<@Nullable Object>> keys = new ArrayList<>();

    private KeyGenerator() {}

    static List<List<@Nullable Object>> keys(Document document, List<FieldPath> paths) {
        if (paths.size() == 1) {
            return singleKeys(document, paths.get(0));
        }
        KeyGenerator generator = new KeyGenerator();
        List<Walker> walkers = new ArrayList<>();
        for (FieldPath path : paths) {
            walkers.add(new Walker(document, path, 0));
        }
        generator.expand(walkers);
        return generator.keys;
    }

    private static List<List<@Nullable Object>> singleKeys(Document document, FieldPath path) {
        List<@Nullable Object> values = PathValues.of(document, path).values();
        List<List<@Nullable Object>> keys = new ArrayList<>(values.size());
        for (Object value : values) {
            keys.add(IndexKey.single(value));
        }
        return keys;
    }

    static boolean hasAnyField(Document document, List<FieldPath> paths) {
        return paths.stream().anyMatch(path -> PathValues.isPresent(document, path));
    }

    /** How far the walk along one path has come. */
    private record Walker(@Nullable Object value, FieldPath path, int depth) {
        boolean isAtEnd() {
            return depth == path.length();
        }

        Walker advanced() {
            Object at = value;
            int next = depth;
            while (next < path.length() && at instanceof Document document) {
                at = document.getOrMissing(path.part(next++));
            }
            boolean isBlocked = next < path.length() && !(at instanceof List);
            return new Walker(isBlocked ? null : Absence.toNull(at), path, isBlocked ? path.length() : next);
        }

        Walker into(@Nullable Object element) {
            return isAtEnd() || element instanceof Document
                    ? new Walker(element, path, depth)
                    : new Walker(null, path, path.length());
        }
    }

    private void expand(List<Walker> walkers) {
        List<Walker> advanced = new ArrayList<>(walkers.size());
        List<?> array = null;
        for (Walker walker : walkers) {
            Walker next = walker.advanced();
            if (next.value() instanceof List<?> found) {
                requireSame(array, found, walkers);
                array = found;
            }
            advanced.add(next);
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
            List<Walker> inside = new ArrayList<>(walkers.size());
            boolean goesOn = false;
            for (Walker walker : walkers) {
                boolean isArray = walker.value() == array;
                goesOn |= isArray && !walker.isAtEnd();
                inside.add(isArray ? walker.into(element) : walker);
            }
            if (goesOn) {
                expand(inside);
            } else {
                emit(inside);
            }
        }
        if (array.isEmpty()) {
            emit(walkers.stream().map(walker -> emptied(walker, array)).toList());
        }
    }

    // An empty array has a key of its own, before null.
    private static Walker emptied(Walker walker, List<?> array) {
        if (walker.value() != array) {
            return walker;
        }
        return new Walker(
                walker.isAtEnd() ? Absence.MISSING : null,
                walker.path(),
                walker.path().length());
    }

    private void emit(List<Walker> walkers) {
        List<@Nullable Object> key = new ArrayList<>(walkers.size());
        for (Walker walker : walkers) {
            key.add(walker.value());
        }
        keys.add(key);
    }
}
