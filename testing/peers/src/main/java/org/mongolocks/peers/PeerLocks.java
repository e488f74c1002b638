package org.mongolocks.peers;

import java.time.Duration;
import java.util.Optional;

/**
 * The locks of one client of a library, through its public API alone. Used by two threads; each lock is used and released by
 * the thread that has acquired it. An exception says that the outcome is unknown.
 */
public interface PeerLocks extends AutoCloseable {
    /**
     * Acquires a lock.
     *
     * @param lock the name of the lock
     * @param waitAtMost how long it waits, if the library waits
     * @return the lock; empty if others held it
     * @throws Exception if it may or may not be held
     */
    Optional<PeerLock> acquire(String lock, Duration waitAtMost) throws Exception;

    /** Ends all connections and threads; called after all locks were released. */
    @Override
    void close();

    /** A lock that was granted. */
    interface PeerLock {
        /**
         * Returns whether the library says that it is held; often called, between the steps of the work.
         *
         * @return true if the library has no means to ask
         * @throws Exception if there is no answer
         */
        boolean isHeld() throws Exception;

        /**
         * Returns the fencing token.
         *
         * @return 0 if the library has none
         */
        default long token() {
            return 0;
        }

        /**
         * Releases the lock.
         *
         * @return false if the library says that it was lost; true if it says nothing
         * @throws Exception if it may or may not be released
         */
        boolean release() throws Exception;
    }
}
