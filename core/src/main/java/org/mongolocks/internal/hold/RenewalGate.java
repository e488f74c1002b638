package org.mongolocks.internal.hold;

import java.util.concurrent.CompletableFuture;
import org.mongolocks.LockName;

/**
 * The mutual exclusion of renewals and guarded transactions of one lock: on the server a renewal would wait for the
 * transaction, and delay the other leases of the same command. Thread-safe.
 */
public final class RenewalGate {
    private int renewals;
    private boolean closed;
    private CompletableFuture<Void> quiet = CompletableFuture.completedFuture(null);
    private Runnable whenOpened = () -> {};

    RenewalGate() {}

    /**
     * Returns the gate of a lock.
     *
     * @param hold the lock
     * @return its gate
     */
    public static RenewalGate of(Hold hold) {
        return hold.gate;
    }

    /** Starts a renewal, which ends with {@link #leave}; false while a transaction is open. */
    synchronized boolean enter() {
        if (!closed && renewals++ == 0) {
            quiet = new CompletableFuture<>();
        }
        return !closed;
    }

    /**
     * Starts a renewal that the holder requests. It ends with {@link #leave}.
     *
     * @param name the name of the lock
     * @throws IllegalStateException while a transaction is open
     */
    public void requireEntry(LockName name) {
        if (!enter()) {
            throw new IllegalStateException("Lock '" + name
                    + "' cannot be renewed while its guarded transaction is open; the commit renews it");
        }
    }

    /** Ends a renewal. */
    public void leave() {
        CompletableFuture<Void> last = leaveOne();
        last.complete(null);
    }

    /** Closes the gate for a transaction. The future completes when no renewal is in flight. */
    synchronized CompletableFuture<Void> close(LockName name) {
        if (closed) {
            throw new IllegalStateException("Lock '" + name + "' already guards an open transaction");
        }
        closed = true;
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

    private synchronized CompletableFuture<Void> leaveOne() {
        return --renewals == 0 ? quiet : new CompletableFuture<>();
    }

    private synchronized Runnable reopen() {
        closed = false;
        return whenOpened;
    }
}
