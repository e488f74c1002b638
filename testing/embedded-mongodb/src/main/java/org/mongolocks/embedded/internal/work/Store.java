package org.mongolocks.embedded.internal.work;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.oplog.Change;
import org.mongolocks.embedded.internal.oplog.ClusterClock;
import org.mongolocks.embedded.internal.oplog.Oplog;
import org.mongolocks.embedded.internal.oplog.Oplog.OplogEntry;
import org.mongolocks.embedded.internal.session.SessionRecord;
import org.mongolocks.embedded.internal.storage.Catalog;
import org.mongolocks.embedded.internal.tree.SortedTree;

/** All that would survive on a disk: the committed data, the oplog, and the records of sessions. */
public final class Store {
    private final ClusterClock clock;
    private Catalog catalog = Catalog.empty();
    private Oplog oplog;
    private SortedTree<UUID, SessionRecord> sessions = SortedTree.natural();
    private long lastRecord;
    private @Nullable Snapshot majority;
    private @Nullable Oplog shown;

    /**
     * An empty store.
     *
     * @param oplogCapacity how many entries the oplog keeps
     */
    public Store(ClusterClock clock, int oplogCapacity) {
        this.clock = clock;
        this.oplog = Oplog.startingAt(clock.latest(), oplogCapacity);
    }

    /** The stored data at some moment. */
    public record Snapshot(Catalog catalog, Oplog oplog, SortedTree<UUID, SessionRecord> sessions, long lastRecord) {}

    public Snapshot snapshot() {
        return new Snapshot(catalog, oplog, sessions, lastRecord);
    }

    /** Puts the data back as it was, here or in another store; the logical clock goes on, and no record id comes twice. */
    public void restore(Snapshot snapshot) {
        clock.notBefore(snapshot.oplog().last());
        lastRecord = Math.max(lastRecord, snapshot.lastRecord());
        catalog = snapshot.catalog();
        oplog = snapshot.oplog();
        sessions = snapshot.sessions();
        majority = null;
        shown = null;
    }

    /** Sets what a majority of the members has. Until then, and again after a restore, it has all that is stored. */
    public void advanceMajority(Snapshot stored) {
        majority = stored;
    }

    /** Sets how far change streams see, if that is less than a majority has. */
    public void advanceEvents(Snapshot stored) {
        shown = stored.oplog();
    }

    /** The data that no election rolls back. */
    public Catalog majorityCatalog() {
        return majority == null ? catalog : majority.catalog();
    }

    /** The part of the oplog that change streams see. */
    public Oplog streamedOplog() {
        Oplog stored = majority == null ? oplog : majority.oplog();
        return shown == null || shown.last().compareTo(stored.last()) > 0 ? stored : shown;
    }

    public Catalog catalog() {
        return catalog;
    }

    public Oplog oplog() {
        return oplog;
    }

    public ClusterClock clock() {
        return clock;
    }

    /** A record id that was never used before. */
    long nextRecord() {
        return ++lastRecord;
    }

    /** Makes a change visible and writes it down. */
    public void commit(Catalog changed, Change change) {
        commit(changed, List.of(change), null);
    }

    /** Makes changes visible together and writes them down. */
    public void commit(Catalog changed, List<Change> changes, OplogEntry.@Nullable TransactionId transaction) {
        catalog = changed;
        oplog = oplog.with(new OplogEntry(clock.tick(), clock.wallTime(), changes, transaction));
    }

    public @Nullable SessionRecord session(UUID id) {
        return sessions.get(id);
    }

    public void remember(UUID id, SessionRecord record) {
        sessions = sessions.with(id, record);
    }

    public void forget(UUID id) {
        sessions = sessions.without(id);
    }
}
