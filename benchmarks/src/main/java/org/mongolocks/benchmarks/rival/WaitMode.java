package org.mongolocks.benchmarks.rival;

import java.time.Duration;

/**
 * The way in which a request waits for a lock.
 *
 * @param isOffered whether waiting is supported at all
 * @param period how long a release may go unnoticed because the waiter sleeps; zero if the waiter is notified
 */
public record WaitMode(boolean isOffered, Duration period) {
    /** No waiting: each request makes one attempt. */
    public static final WaitMode NONE = new WaitMode(false, Duration.ZERO);
    /** The waiter is notified of a release. */
    public static final WaitMode TOLD = new WaitMode(true, Duration.ZERO);

    /** The waiter polls. */
    public static WaitMode polling(Duration period) {
        return new WaitMode(true, period);
    }
}
