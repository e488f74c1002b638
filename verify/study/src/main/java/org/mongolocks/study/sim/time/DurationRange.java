package org.mongolocks.study.sim.time;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * A range of durations, from which values are drawn uniformly.
 *
 * @param leastNanos the shortest
 * @param mostNanos the longest
 */
public record DurationRange(long leastNanos, long mostNanos) {
    /**
     * Creates a range.
     *
     * @param leastMillis the shortest
     * @param mostMillis the longest, at least the shortest
     * @return the range
     */
    public static DurationRange millis(long leastMillis, long mostMillis) {
        return new DurationRange(
                Duration.ofMillis(leastMillis).toNanos(),
                Duration.ofMillis(mostMillis).toNanos());
    }

    /**
     * Draws a duration.
     *
     * @param random the source of randomness
     * @return the duration in nanoseconds
     */
    public long draw(RandomGenerator random) {
        return leastNanos == mostNanos ? leastNanos : random.nextLong(leastNanos, mostNanos + 1);
    }
}
