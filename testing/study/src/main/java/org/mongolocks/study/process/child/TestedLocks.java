package org.mongolocks.study.process.child;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.mongolocks.LockException;

/**
 * The locks of one client, as workers use them: what a library must offer to be run under the faults. Its errors are
 * {@link LockException}s; after an {@link org.mongolocks.IndeterminateOutcomeException} a lock may be held. Thread-safe.
 */
public interface TestedLocks extends AutoCloseable {
    /** Acquires a lock; returns empty if it is held by others all the time. */
    Optional<TestedLock> acquire(Request request) throws InterruptedException;

    /** Ends all leases, and all threads. */
    @Override
    void close();

    /** Returns how many of some threads belong to bounded pools of this client, whose use depends on the load. */
    default long pooled(List<String> threads) {
        return 0;
    }

    /** Returns the locks that have waiters in the database. */
    default List<String> awaited() throws InterruptedException {
        return List.of();
    }

    /** A request of a worker. */
    record Request(String lock, Duration waitAtMost, boolean isKeptAlive, boolean isFair) {}

    /** A held lock. */
    interface TestedLock {
        boolean isHeld();

        /** Called between two steps of the work: a library that has to be asked whether the lock is held is asked. */
        default void look() {}

        /** Returns the fencing token; 0 if there is none. */
        long token();

        /** Releases the lock; returns false if it was no longer held. */
        boolean release();

        /** Returns the lease as its holder knows it; without end if the library does not say. */
        default Lease lease() {
            return new Lease(System.nanoTime(), Long.MAX_VALUE);
        }

        /** Adds a listener, which gets the reason of a loss if the library notices it. */
        default void onLost(Consumer<String> listener) {}
    }

    /** A lease, by {@link System#nanoTime()}. */
    record Lease(long fromNanos, long untilNanos) {}
}
