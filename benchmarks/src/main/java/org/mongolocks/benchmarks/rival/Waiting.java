package org.mongolocks.benchmarks.rival;

import java.time.Duration;

/**
 * Tells how one waits for a lock.
 *
 * @param isOffered whether one can wait at all
 * @param period how long a release may stay unnoticed because the waiter sleeps; zero if the waiter is told
 */
public record Waiting(boolean isOffered, Duration period) {
    /** Nobody waits: who wants the lock has to ask again. */
    public static final Waiting NONE = new Waiting(false, Duration.ZERO);
    /** The waiter is told. */
    public static final Waiting TOLD = new Waiting(true, Duration.ZERO);

    /** The waiter asks again and again. */
    public static Waiting polling(Duration period) {
        return new Waiting(true, period);
    }
}
