package org.mongolocks.embedded.internal.work;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.session.Transaction;

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
}
