package org.mongolocks.embedded.internal.oplog;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.tree.SortedTree;

/** The newest entries; immutable. */
public final class Oplog {
    private final SortedTree<BsonTimestamp, OplogEntry> entries;
    private final int capacity;
    private final BsonTimestamp lostUpTo;
    private final BsonTimestamp last;

    private Oplog(
            SortedTree<BsonTimestamp, OplogEntry> entries, int capacity, BsonTimestamp lostUpTo, BsonTimestamp last) {
        this.entries = entries;
        this.capacity = capacity;
        this.lostUpTo = lostUpTo;
        this.last = last;
    }

    /**
     * An empty log, which knows of all that ever happened.
     *
     * @param start when the log begins
     * @param capacity how many entries are kept
     */
    public static Oplog startingAt(BsonTimestamp start, int capacity) {
        return new Oplog(SortedTree.natural(), capacity, new BsonTimestamp(0), start);
    }

    /** This log with one more entry at its end; the oldest one may go. */
    public Oplog with(OplogEntry entry) {
        SortedTree<BsonTimestamp, OplogEntry> changed = entries.with(entry.timestamp(), entry);
        if (changed.size() <= capacity) {
            return new Oplog(changed, capacity, lostUpTo, entry.timestamp());
        }
        BsonTimestamp oldest = changed.first().getKey();
        return new Oplog(changed.without(oldest), capacity, oldest, entry.timestamp());
    }

    /** The timestamp of the newest entry, or when the log began. */
    public BsonTimestamp last() {
        return last;
    }

    /** Whether all that happened from a time on, that time included, is still known. */
    public boolean reachesBackTo(BsonTimestamp timestamp) {
        return timestamp.compareTo(lostUpTo) > 0;
    }

    /** The entries from a timestamp on, included. */
    public Iterator<Entry<BsonTimestamp, OplogEntry>> from(BsonTimestamp timestamp) {
        return entries.from(timestamp);
    }

    /**
     * Changes that became visible together.
     *
     * @param timestamp when, in the logical time of the replica set
     * @param wallTime when, by the clock of the primary
     * @param changes one, or those of a transaction
     * @param transaction whose they are, if they are a transaction's
     */
    public record OplogEntry(
            BsonTimestamp timestamp,
            Instant wallTime,
            List<Change> changes,
            @Nullable TransactionId transaction) {
        /** A session and a number in it. */
        public record TransactionId(Document session, long number) {}
    }
}
