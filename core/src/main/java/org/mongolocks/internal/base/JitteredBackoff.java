package org.mongolocks.internal.base;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * An exponential backoff: the wait doubles each time, up to a cap, and is then reduced by a random part, up to
 * half.
 *
 * <p>The cap comes first and the jitter last: in the other order, all clients that have waited long enough would
 * retry after exactly the cap, at the same time.
 */
public final class JitteredBackoff implements IntervalFunction {
    /** More doublings than these exceed any cap. */
    private static final int MAX_DOUBLINGS = 40;

    private static final Duration MIN_DELAY = Duration.ofMillis(1);
    private static final Duration MAX_DELAY = Duration.ofDays(1);

    private final long firstMillis;
    private final long capMillis;
    private final RandomGenerator random;

    /**
     * Creates a backoff.
     *
     * @param first the first wait before jitter, at least a millisecond
     * @param cap the longest wait, at least the first and at most a day
     * @throws IllegalArgumentException if a wait is out of bounds
     */
    public JitteredBackoff(Duration first, Duration cap, RandomGenerator random) {
        if (first.compareTo(MIN_DELAY) < 0 || cap.compareTo(first) < 0 || cap.compareTo(MAX_DELAY) > 0) {
            throw new IllegalArgumentException(
                    "first wait must be from 1 ms to the cap, and the cap at most a day, was " + first + " to " + cap);
        }
        this.firstMillis = first.toMillis();
        this.capMillis = cap.toMillis();
        this.random = random;
    }

    @Override
    public Long apply(Integer attempt) {
        double longest = longestMillis((double) firstMillis, attempt - 1, (double) capMillis);
        return Math.max(1, Math.round(longest * (0.5 + 0.5 * random.nextDouble())));
    }

    /** Returns a wait before jitter: the first one, doubled so many times, but not more than the cap. */
    public static double longestMillis(double firstMillis, int doublings, double capMillis) {
        return Math.min(Math.scalb(firstMillis, Math.min(doublings, MAX_DOUBLINGS)), capMillis);
    }
}
