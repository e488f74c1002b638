package org.mongolocks.leader.internal;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.time.Timer;

/** The locks of one client, as a candidacy uses them. No method blocks; answers come on any thread, perhaps at once. */
public interface LockPort {
    /**
     * Begins to acquire a lock.
     *
     * @return cancels the request, which is answered nevertheless: with a lock if that was granted before
     */
    Runnable acquire(LockRequest request, Answer<Optional<RoleLock>> answer);

    /** Begins to read a lock. */
    void inspect(LockName role, Answer<Optional<LockSnapshot>> answer);

    /** Returns the timer of pauses and checks. */
    Timer timer();

    /** Gets the result of a request. */
    interface Answer<T> {
        /** Handles the result. */
        void done(T result);

        /** Handles a failure. */
        void failed(Throwable error);
    }

    /** A lock that was acquired. */
    interface RoleLock {
        /** Returns the fencing token of the grant. */
        long fencingToken();

        /**
         * Returns how much of the lease is left.
         *
         * @return the time; zero once the lock was released or lost
         */
        Duration remaining();

        /**
         * Returns why the lock was lost.
         *
         * @return the reason; empty while no loss is known
         */
        Optional<LossReason> loss();

        /**
         * Watches the lease.
         *
         * @param remaining the parts of the lease at which to call the check
         * @param check is called when so little is left, and at the loss, on any thread
         */
        void watch(List<Duration> remaining, Runnable check);

        /** Interrupts the calling thread at the loss, where work has a thread of its own. */
        default void interruptOnLoss() {}

        /**
         * Begins to release the lock.
         *
         * @param then is called when the release has ended, successfully or not
         */
        void release(Runnable then);
    }
}
