package org.mongolocks.embedded.internal.state;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.cursor.Cursors;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.session.ApiParameters;
import org.mongolocks.embedded.internal.session.Session;
import org.mongolocks.embedded.internal.session.SessionRecord;
import org.mongolocks.embedded.internal.session.Transaction;
import org.mongolocks.embedded.internal.work.Committer;
import org.mongolocks.embedded.internal.work.LockTable;
import org.mongolocks.embedded.internal.work.Store;

/** The open transactions: how they begin and end. */
public final class Transactions {
    private final Store store;
    private final LockTable locks;
    private final Parameters parameters;
    private final Cursors cursors;
    private final Set<Transaction> open = new LinkedHashSet<>();

    public Transactions(Store store, LockTable locks, Parameters parameters, Cursors cursors) {
        this.store = store;
        this.locks = locks;
        this.parameters = parameters;
        this.cursors = cursors;
    }

    public void begin(Session session, long number, ApiParameters api, long now) {
        abort(session);
        Transaction transaction = new Transaction(
                session,
                number,
                api,
                store.catalog(),
                store.clock().latest().getValue(),
                now + parameters.transactionLifetimeMillis());
        open.add(transaction);
        session.begin(transaction);
    }

    /** Commits the transaction of a session, or does nothing if that has happened already. */
    public void commit(Session session) {
        if (session.state() == Session.State.COMMITTED) {
            return;
        }
        Transaction transaction = session.transaction();
        if (transaction == null) {
            throw new CommandError(ErrorCode.NO_SUCH_TRANSACTION, "Transaction isn't in progress");
        }
        new Committer(store, transaction).commit();
        store.remember(session.id(), SessionRecord.committed(transaction.number()));
        end(transaction, Session.State.COMMITTED);
    }

    /** Aborts the transaction of a session, if there is one. */
    public void abort(Session session) {
        Transaction transaction = session.transaction();
        if (transaction != null) {
            end(transaction, Session.State.ABORTED);
        }
    }

    private void end(Transaction transaction, Session.State state) {
        locks.release(transaction);
        open.remove(transaction);
        transaction.session().end(state);
        cursors.closeTransaction(transaction.session().id(), transaction.number());
    }

    /** Aborts the transactions that have been open for too long. */
    public void expire(long now) {
        for (Transaction transaction : List.copyOf(open)) {
            if (transaction.expiresAt() <= now) {
                abort(transaction.session());
            }
        }
    }

    public long nextExpiry() {
        long next = Long.MAX_VALUE;
        for (Transaction transaction : open) {
            next = Math.min(next, transaction.expiresAt());
        }
        return next;
    }

    public void abortAll() {
        new ArrayList<>(open).forEach(transaction -> abort(transaction.session()));
    }

    /** Drops all transactions, of which nothing is left. */
    void forgetAll() {
        open.clear();
    }

    /** Adds a transaction that is open already; null for none. */
    void add(@Nullable Transaction transaction) {
        if (transaction != null) {
            open.add(transaction);
        }
    }

    /** The transactions that are open now. */
    public List<Transaction> open() {
        return List.copyOf(open);
    }
}
