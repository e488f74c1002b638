package org.mongolocks.embedded.internal.cursor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.storage.Namespace;

/** The open cursors. */
public final class Cursors {
    private final LongSupplier ids;
    private final Map<Long, OpenCursor> open = new LinkedHashMap<>();

    public Cursors(LongSupplier ids) {
        this.ids = ids;
    }

    public OpenCursor open(Namespace namespace, DocumentSource source, OpenCursor.Owner owner, long now) {
        OpenCursor cursor = new OpenCursor(ids.getAsLong(), namespace, source, owner);
        cursor.use(now, false);
        open.put(cursor.id(), cursor);
        return cursor;
    }

    public @Nullable OpenCursor find(long id) {
        return open.get(id);
    }

    /** How many are open. */
    public int count() {
        return open.size();
    }

    /** Closes a cursor; whether there was one. */
    public boolean close(long id) {
        return open.remove(id) != null;
    }

    /** Closes the cursors of a session that has ended. */
    public void closeSession(UUID session) {
        closeAll(cursor -> session.equals(cursor.owner().session()));
    }

    /** Closes the cursors of a transaction that has ended. */
    public void closeTransaction(UUID session, long txnNumber) {
        closeAll(cursor -> session.equals(cursor.owner().session())
                && Long.valueOf(txnNumber).equals(cursor.owner().txnNumber()));
    }

    /** Closes the cursors that were not read since a time. */
    public void expire(long usedBefore) {
        closeAll(cursor -> cursor.lastUsed() <= usedBefore && !cursor.isInUse());
    }

    private void closeAll(Predicate<OpenCursor> condition) {
        if (!open.isEmpty()) {
            open.values().removeIf(condition);
        }
    }

    public void clear() {
        open.clear();
    }

    /** When the cursor that was idle longest was used last, or the end of time. */
    public long oldestUse() {
        long oldest = Long.MAX_VALUE;
        for (OpenCursor cursor : open.values()) {
            oldest = Math.min(oldest, cursor.lastUsed());
        }
        return oldest;
    }
}
