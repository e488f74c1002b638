package org.mongolocks.embedded.internal.pipeline;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.error.CommandError;

/** The order that a sort specification asks for. */
public final class SortOrder implements Comparator<Document> {
    private final List<Key> keys;

    private SortOrder(List<Key> keys) {
        this.keys = keys;
    }

    /** A field and a direction, 1 or -1. */
    private record Key(FieldPath path, int direction) {}

    /** Reads a specification. */
    public static SortOrder parse(Document specification) {
        List<Key> keys = new ArrayList<>();
        for (Entry<String, Object> entry : specification.entrySet()) {
            keys.add(new Key(FieldPath.checked(entry.getKey()), direction(entry.getValue())));
        }
        return new SortOrder(keys);
    }

    private static int direction(@Nullable Object value) {
        if (value instanceof Document) {
            throw CommandError.unsupported("a sort by $meta");
        }
        if (!(value instanceof Number number)) {
            throw new CommandError(
                    15974, "Illegal key in $sort specification: $sort key ordering must be specified using a number");
        }
        if (Math.abs(number.doubleValue()) != 1) {
            throw new CommandError(15975, "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
        }
        return Numbers.wholeInt(number);
    }

    /** Whether the order says nothing. */
    public boolean isEmpty() {
        return keys.isEmpty();
    }

    /** The documents in this order; equal ones stay as they were. */
    public List<Document> sorted(List<Document> documents) {
        List<Document> sorted = new ArrayList<>(documents);
        sorted.sort(this);
        return sorted;
    }

    @Override
    public int compare(Document a, Document b) {
        for (Key key : keys) {
            int order = key.direction * ValueOrder.compare(key.path.key(a), key.path.key(b));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }
}
