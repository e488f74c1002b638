package org.mongolocks.embedded.internal.work;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.index.IndexSpec;
import org.mongolocks.embedded.internal.session.Transaction;
import org.mongolocks.embedded.internal.storage.Namespace;

/** Which transaction has written what without having ended. */
public final class LockTable {
    private final TreeMap<LockKey, Transaction> holders = new TreeMap<>(LockKey.ORDER);
    private final Map<Transaction, List<LockKey>> held = new HashMap<>();

    boolean isEmpty() {
        return holders.isEmpty();
    }

    /** The transaction that has this, or null if none has or {@code own} has. */
    @Nullable
    Transaction other(LockKey key, @Nullable Transaction own) {
        Transaction holder = holders.get(key);
        return holder == own ? null : holder;
    }

    void take(LockKey key, Transaction transaction) {
        if (holders.put(key, transaction) == null) {
            held.computeIfAbsent(transaction, owner -> new ArrayList<>()).add(key);
        }
    }

    /** Gives all that a transaction has to another one, in another table. */
    public void copy(Transaction holder, Transaction other, LockTable target) {
        held.getOrDefault(holder, List.of()).forEach(key -> target.take(key, other));
    }

    /** Frees all that a transaction has. */
    public void release(Transaction transaction) {
        List<LockKey> keys = held.remove(transaction);
        if (keys != null) {
            keys.forEach(holders::remove);
        }
    }

    /** Forgets everything. */
    public void clear() {
        holders.clear();
        held.clear();
    }

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
}
