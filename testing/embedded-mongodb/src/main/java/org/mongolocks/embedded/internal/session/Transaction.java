package org.mongolocks.embedded.internal.session;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.mongolocks.embedded.internal.oplog.Change;
import org.mongolocks.embedded.internal.storage.Catalog;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.Namespace;

/** An open transaction: the data as it was when it began, and as it is with its own writes. */
public final class Transaction {
    private final Session session;
    private final long number;
    private final ApiParameters api;
    private final long expiresAt;
    private final Catalog snapshot;
    private final long snapshotTime;
    private final List<Write> writes = new ArrayList<>();
    private final Set<Namespace> used = new HashSet<>();
    private Catalog view;

    /**
     * Begins a transaction.
     *
     * @param api what its first command declares of the stable API, and all others must
     * @param snapshotTime the logical time of the snapshot
     * @param expiresAt when it is aborted at the latest, in milliseconds
     */
    public Transaction(
            Session session, long number, ApiParameters api, Catalog snapshot, long snapshotTime, long expiresAt) {
        this.session = session;
        this.number = number;
        this.api = api;
        this.snapshot = snapshot;
        this.snapshotTime = snapshotTime;
        this.expiresAt = expiresAt;
        this.view = snapshot;
    }

    /** The same transaction as that of another session. */
    Transaction copyFor(Session other) {
        Transaction copy = new Transaction(other, number, api, snapshot, snapshotTime, expiresAt);
        copy.view = view;
        copy.writes.addAll(writes);
        copy.used.addAll(used);
        return copy;
    }

    /** A change, and the record that it is about. */
    public record Write(Change change, long record) {}

    public Session session() {
        return session;
    }

    public long number() {
        return number;
    }

    /** What its first command declared of the stable API. */
    public ApiParameters api() {
        return api;
    }

    public long expiresAt() {
        return expiresAt;
    }

    /** The data as it was when the transaction began. */
    public Catalog snapshot() {
        return snapshot;
    }

    public long snapshotTime() {
        return snapshotTime;
    }

    /** The data as the transaction sees it. */
    public Catalog view() {
        return view;
    }

    public List<Write> writes() {
        return writes;
    }

    /** Notes a write. */
    public void write(Catalog changed, Change change, long record) {
        view = changed;
        writes.add(new Write(change, record));
    }

    /** Whether the transaction has made a collection that it sees. */
    public boolean hasCreated(CollectionState seen) {
        CollectionState then = snapshot.get(seen.namespace());
        return then == null || !then.uuid().equals(seen.uuid());
    }

    /** Notes that the transaction looks at a collection, which must stay as it is from now on. */
    public void use(Namespace namespace) {
        used.add(namespace);
    }

    /** Whether the transaction has looked at a collection. */
    public boolean hasUsed(Namespace namespace) {
        return used.contains(namespace);
    }
}
