package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects which fields an update changed, for the oplog. */
final class ChangeLog {
    private final Document updated = new Document();
    private final List<String> removed = new ArrayList<>();

    void set(String path, @Nullable Object value) {
        updated.put(path, value);
    }

    void unset(String path) {
        removed.add(path);
    }

    boolean isEmpty() {
        return updated.isEmpty() && removed.isEmpty();
    }

    void addAll(ChangeLog other) {
        updated.putAll(other.updated);
        removed.addAll(other.removed);
    }

    Applied.Fields fields() {
        return new Applied.Fields(updated, removed);
    }
}
