package org.mongolocks.internal.hold;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockName;

/**
 * The mutual exclusion of renewals and guarded transactions of one lock: on the server a renewal would wait for the
 * transaction, and delay the other leases of the same command. Thread-safe.
 */
final class RenewalGate {
    private int renewals;
    private boolean closed;
    /** Completes when no renewal is in flight; only while a transaction waits for that. */
    private @Nullable CompletableFuture<Void> quiet;

    private Runnable whenOpened = () -> {};

    /** Starts a renewal, which ends with {@link #leave}; false while a transaction is open. */
    synchronized boolean enter() {
        renewals += closed ? 0 : 1;
        return !closed;
    }

    /**
     * Starts a renewal that the holder requests, or throws while a transaction is open. It ends with {@link #leave}.
     */
    void requireEntry(LockName name) {
        if (!enter()) {
            throw new IllegalStateException("Lock '" + name
                    + "' cannot be renewed while its guarded transaction is open; the commit renews it");
        }
    }

    /** Ends a renewal. */
    void leave() {
        CompletableFuture<Void> last = leaveOne();
        if (last != null) {
            last.complete(null);
        }
    }

    /** Closes the gate for a transaction. The future completes when no renewal is in flight. */
    synchronized CompletableFuture<Void> close(LockName name) {
        if (closed) {
            throw new IllegalStateException("Lock '" + name + "' already guards an open transaction");
        }
        closed = true;
        if (renewals == 0) {
            return CompletableFuture.completedFuture(null);
        }
        quiet = quiet == null ? new CompletableFuture<>() : quiet;
        return quiet;
    }

    void open() {
        Runnable told = reopen();
        told.run();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Sets the callback for when renewals are possible again. */
    synchronized void whenOpened(Runnable told) {
        whenOpened = told;
    }

    private synchronized @Nullable CompletableFuture<Void> leaveOne() {
        CompletableFuture<Void> last = --renewals == 0 ? quiet : null;
        quiet = renewals == 0 ? null : quiet;
        return last;
    }

    private synchronized Runnable reopen() {
        closed = false;
        return whenOpened;
    }
}
