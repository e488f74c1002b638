package org.mongolocks.study.simulation;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Is a length of time that is drawn anew each time, evenly.
 *
 * @param leastNanos the shortest
 * @param mostNanos the longest
 */
public record Span(long leastNanos, long mostNanos) {
    /**
     * Makes a span.
     *
     * @param leastMillis the shortest
     * @param mostMillis the longest, at least the shortest
     * @return the span
     */
    public static Span millis(long leastMillis, long mostMillis) {
        return new Span(
                Duration.ofMillis(leastMillis).toNanos(),
                Duration.ofMillis(mostMillis).toNanos());
    }

    /**
     * Draws a length.
     *
     * @param random where chance comes from
     * @return the length in nanoseconds
     */
    public long draw(RandomGenerator random) {
        return leastNanos == mostNanos ? leastNanos : random.nextLong(leastNanos, mostNanos + 1);
    }
}
