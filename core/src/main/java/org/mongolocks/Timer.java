package org.mongolocks;

import java.time.Duration;

/**
 * Runs tasks later. A client has one timer for all its locks: for renewals, for the ends of leases and for warnings of
 * them. The tasks are short and do not block. Thread-safe.
 */
@FunctionalInterface
public interface Timer {
    /**
     * Has a task run once. It must not run in the thread that calls, before this method returns.
     *
     * @param delay how long to wait; zero or more. Running late is allowed, and is found out by the {@link TimeSource}.
     * @param task what to run; it does not throw
     * @return what calls it off
     */
    Timeout schedule(Duration delay, Runnable task);

    /** Is a task that was scheduled. */
    @FunctionalInterface
    interface Timeout {
        /** Calls the task off, unless it has begun. Asked again, it changes nothing. */
        void cancel();
    }
}
