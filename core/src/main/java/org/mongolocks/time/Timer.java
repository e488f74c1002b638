package org.mongolocks.time;

import java.time.Duration;

/**
 * A scheduler of short tasks that do not block. A client has one timer for all its locks: for renewals, for the ends of
 * leases and for the warnings before them. Thread-safe.
 */
@FunctionalInterface
public interface Timer {
    /**
     * Schedules a task to run once. The task must not run in the calling thread before this method returns.
     *
     * @param delay how long to wait; zero or more. A late run is allowed: the task checks the {@link TimeSource}.
     * @param task the task; it does not throw
     * @return the handle that cancels it
     */
    Timeout schedule(Duration delay, Runnable task);

    /** A scheduled task. */
    @FunctionalInterface
    interface Timeout {
        /** Cancels the task, unless it has begun. Further calls have no effect. */
        void cancel();
    }
}
