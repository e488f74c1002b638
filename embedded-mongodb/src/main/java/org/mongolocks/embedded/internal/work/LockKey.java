package org.mongolocks.embedded.internal.work;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.index.IndexSpec;
import org.mongolocks.embedded.internal.storage.Namespace;

/**
 * Something that one transaction at a time may write.
 *
 * @param space what kind of thing, and where
 * @param values which of them
 */
record LockKey(String space, List<@Nullable Object> values) {
    static final Comparator<LockKey> ORDER =
            Comparator.comparing(LockKey::space).thenComparing((a, b) -> ValueOrder.compare(a.values, b.values));

    /** A record of a collection. */
    static LockKey record(UUID collection, long record) {
        return new LockKey(collection.toString(), Arrays.asList(record));
    }

    /** A key of a unique index. */
    static LockKey key(UUID collection, IndexSpec index, List<@Nullable Object> key) {
        return new LockKey(collection + "/" + index.name(), key);
    }

    /** A collection that is being created. */
    static LockKey creation(Namespace namespace) {
        return new LockKey("create", Arrays.asList(namespace.toString()));
    }
}
