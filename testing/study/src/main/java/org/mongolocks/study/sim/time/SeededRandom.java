package org.mongolocks.study.sim.time;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Derives a random source for each concern from one seed, so that drawing more numbers for one does not change the
 * others.
 */
public record SeededRandom(long seed) {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    public RandomGenerator source(String concern) {
        return new SplittableRandom(((seed + 1) * GOLDEN) ^ ((long) concern.hashCode() << 32));
    }

    public static UUID uuid(RandomGenerator random) {
        long high = (random.nextLong() & ~0xF000L) | 0x4000L;
        long low = (random.nextLong() & ~(3L << 62)) | (1L << 63);
        return new UUID(high, low);
    }

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
}
