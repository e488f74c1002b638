package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonSize;
import org.mongolocks.embedded.internal.bson.SameBytes;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.update.Update.Applied;
import org.mongolocks.embedded.internal.update.UpdateNode.ChangeLog;

/**
 * The difference that an update makes to a document or to an array, as MongoDB logs it since 5.0.
 *
 * <p>A difference is logged only where it is smaller than the value that it leads to; the sizes are those that MongoDB reckons with, in
 * bytes.
 */
abstract sealed class Diff {
    // What an entry of the oplog has beside the difference.
    private static final int PADDING = 15;
    private static final int TYPE_AND_TERMINATOR = 2;

    /** Gives the changed fields of a pipeline's result, or null if the difference is not smaller than the result. */
    static Applied.@Nullable Fields between(Document before, Document after) {
        OfDocument diff = OfDocument.of(before, after);
        return diff.size() + PADDING < BsonSize.of(after) ? diff.fields() : null;
    }

    /** Gives the changed fields of an update by operators. */
    static Applied.Fields logged(ChangeLog log, Document before) {
        OfDocument diff = new OfDocument();
        log.entries().forEach((path, value) -> diff.put(before, List.of(path.split("\\.", -1)), value));
        return diff.fields();
    }

    abstract int size();

    /** Adds the fields that changed below a path. */
    abstract void describe(String path, Applied.Fields fields);

    private static @Nullable Diff ofInner(@Nullable Object before, @Nullable Object after) {
        if (before instanceof Document x && after instanceof Document y) {
            Diff diff = OfDocument.of(x, y);
            return diff.size() < BsonSize.of(y) ? diff : null;
        }
        if (before instanceof List<?> x && after instanceof List<?> y) {
            Diff diff = OfArray.of(x, y);
            return diff.size() < BsonSize.ofValue(y) ? diff : null;
        }
        return null;
    }

    private static int entry(int nameLength, @Nullable Object value) {
        return nameLength + TYPE_AND_TERMINATOR + BsonSize.ofValue(value);
    }

    // A value at a path that begins with fields of documents that are new.
    private static Document nested(@Nullable Object begun, List<String> path, @Nullable Object value) {
        Document document = begun instanceof Document existing ? existing : new Document();
        List<String> rest = path.subList(1, path.size());
        document.put(path.get(0), rest.isEmpty() ? value : nested(document.get(path.get(0)), rest, value));
        return document;
    }

    // Follows a path into the document or array that is there.
    private static Diff within(@Nullable Diff begun, Object inner, List<String> path, @Nullable Object value) {
        if (inner instanceof Document document) {
            OfDocument diff = begun instanceof OfDocument existing ? existing : new OfDocument();
            diff.put(document, path, value);
            return diff;
        }
        OfArray diff = begun instanceof OfArray existing ? existing : new OfArray();
        diff.put((List<?>) inner, path, value);
        return diff;
    }

    /** The difference of a document. */
    private static final class OfDocument extends Diff {
        private static final int EMPTY = 5;
        private static final int SECTION = 8;

        private final Document updated = new Document();
        private final Document inserted = new Document();
        private final List<String> removed = new ArrayList<>();
        private final Map<String, Diff> within = new LinkedHashMap<>();

        // Fields are compared from the first on; a field that comes later than it did is logged as a new one.
        static OfDocument of(Document before, Document after) {
            OfDocument diff = new OfDocument();
            List<Entry<String, Object>> old = List.copyOf(before.entrySet());
            List<Entry<String, Object>> now = List.copyOf(after.entrySet());
            TreeSet<String> missed = new TreeSet<>();
            int i = 0;
            int k = 0;
            for (; i < old.size() && k < now.size(); i++) {
                String name = old.get(i).getKey();
                if (name.equals(now.get(k).getKey())) {
                    diff.compare(name, old.get(i).getValue(), now.get(k++).getValue());
                } else {
                    missed.add(name);
                }
            }
            old.subList(i, old.size()).forEach(entry -> diff.removed.add(entry.getKey()));
            for (Entry<String, Object> entry : now.subList(k, now.size())) {
                diff.inserted.put(entry.getKey(), entry.getValue());
                missed.remove(entry.getKey());
            }
            diff.removed.addAll(missed);
            return diff;
        }

        private void compare(String name, @Nullable Object before, @Nullable Object after) {
            if (SameBytes.test(before, after)) {
                return;
            }
            Diff inner = ofInner(before, after);
            if (inner == null) {
                updated.put(name, after);
            } else {
                within.put(name, inner);
            }
        }

        void put(Document before, List<String> path, @Nullable Object value) {
            String name = path.get(0);
            Object inner = before.getOrMissing(name);
            if (path.size() == 1) {
                putHere(name, Values.isMissing(inner), value);
            } else if (inner instanceof Document || inner instanceof List) {
                within.put(name, within(within.get(name), inner, path.subList(1, path.size()), value));
            } else {
                inserted.put(name, nested(inserted.get(name), path.subList(1, path.size()), value));
            }
        }

        private void putHere(String name, boolean isNew, @Nullable Object value) {
            if (Values.isMissing(value)) {
                removed.add(name);
            } else {
                (isNew ? inserted : updated).put(name, value);
            }
        }

        @Override
        int size() {
            int size = EMPTY + section(updated) + section(inserted);
            size += removed.isEmpty() ? 0 : SECTION;
            for (String name : removed) {
                size += entry(BsonSize.utf8(name), false);
            }
            for (Entry<String, Diff> entry : within.entrySet()) {
                size += BsonSize.utf8(entry.getKey())
                        + 1
                        + TYPE_AND_TERMINATOR
                        + entry.getValue().size();
            }
            return size;
        }

        private static int section(Document fields) {
            int size = fields.isEmpty() ? 0 : SECTION;
            for (Entry<String, Object> entry : fields.entrySet()) {
                size += entry(BsonSize.utf8(entry.getKey()), entry.getValue());
            }
            return size;
        }

        Applied.Fields fields() {
            Applied.Fields fields = new Applied.Fields(new Document(), new ArrayList<>(), new ArrayList<>());
            describe("", fields);
            return fields;
        }

        @Override
        void describe(String path, Applied.Fields fields) {
            String prefix = path.isEmpty() ? "" : path + '.';
            updated.forEach((name, value) -> fields.updated().put(prefix + name, value));
            inserted.forEach((name, value) -> fields.updated().put(prefix + name, value));
            removed.forEach(name -> fields.removed().add(prefix + name));
            within.forEach((name, diff) -> diff.describe(prefix + name, fields));
        }
    }

    /** The difference of an array: elements by their index, which may be differences themselves, and what was cut off. */
    private static final class OfArray extends Diff {
        private static final int EMPTY = 9;
        private static final int RESIZING = 7;

        private final TreeMap<Integer, @Nullable Object> elements = new TreeMap<>();
        private @Nullable Integer newSize;

        static OfArray of(List<?> before, List<?> after) {
            OfArray diff = new OfArray();
            for (int i = 0; i < after.size(); i++) {
                Object value = after.get(i);
                if (i >= before.size()) {
                    diff.elements.put(i, value);
                } else if (!SameBytes.test(before.get(i), value)) {
                    Diff inner = ofInner(before.get(i), value);
                    diff.elements.put(i, inner == null ? value : inner);
                }
            }
            diff.newSize = before.size() > after.size() ? after.size() : null;
            return diff;
        }

        void put(List<?> before, List<String> path, @Nullable Object value) {
            int index = Integer.parseInt(path.get(0));
            List<String> rest = path.subList(1, path.size());
            Object begun = elements.get(index);
            Object inner = index < before.size() ? before.get(index) : Values.MISSING;
            if (rest.isEmpty()) {
                // An element of an array cannot go away alone: it becomes null.
                elements.put(index, Values.toNull(value));
            } else if (inner instanceof Document || inner instanceof List) {
                elements.put(index, within(begun instanceof Diff diff ? diff : null, inner, rest, value));
            } else {
                elements.put(index, nested(begun, rest, value));
            }
        }

        @Override
        int size() {
            int size = EMPTY + (newSize == null ? 0 : RESIZING);
            for (Entry<Integer, @Nullable Object> entry : elements.entrySet()) {
                int length = 1 + entry.getKey().toString().length();
                size += entry.getValue() instanceof Diff diff
                        ? length + TYPE_AND_TERMINATOR + diff.size()
                        : entry(length, entry.getValue());
            }
            return size;
        }

        @Override
        void describe(String path, Applied.Fields fields) {
            if (newSize != null && fields.truncated() != null) {
                fields.truncated().add(new Document("field", path).append("newSize", newSize));
            }
            elements.forEach((index, value) -> {
                String element = path + '.' + index;
                if (value instanceof Diff diff) {
                    diff.describe(element, fields);
                } else {
                    fields.updated().put(element, value);
                }
            });
        }
    }
}
