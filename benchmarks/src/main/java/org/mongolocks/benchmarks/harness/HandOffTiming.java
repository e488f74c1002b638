package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.mongolocks.benchmarks.rival.WaitMode;

/**
 * The timing of hand-offs between two participants. The hold time is random, so that no polling waiter is synchronized
 * with the releases.
 *
 * @param shortestHold the minimum hold time, long enough for the other participant to be waiting already
 * @param longestHold the maximum hold time; greater than the minimum
 * @param uncounted the number of hand-offs before the first that counts
 * @param time the duration of the run
 */
record HandOffTiming(Duration shortestHold, Duration longestHold, int uncounted, Duration time) {
    private static final Duration MIN_HOLD = Duration.ofMillis(5);
    private static final Duration HOLDS_DIFFER = Duration.ofMillis(10);
    /** A notified waiter opens its change stream during the first hand-offs. */
    private static final int UNTIL_TOLD = 4;

    private static final int SO_MUCH_FASTER = 10;
    private static final int SO_MUCH_LONGER = 4;

    /** Returns the timing of a measurement. */
    static HandOffTiming measured(WaitMode waiting, Duration time) {
        Duration longest = MIN_HOLD.plus(HOLDS_DIFFER).plus(waiting.period());
        return new HandOffTiming(MIN_HOLD, longest, waiting.period().isZero() ? UNTIL_TOLD : 1, time);
    }

    /**
     * Returns the timing of a warm-up with many hand-offs, so that the JVM has compiled the code before the
     * measurement.
     */
    static HandOffTiming warmingUp(Duration time) {
        Duration longest = MIN_HOLD.plus(HOLDS_DIFFER).dividedBy(SO_MUCH_FASTER);
        return new HandOffTiming(MIN_HOLD.dividedBy(SO_MUCH_FASTER), longest, 0, time.multipliedBy(SO_MUCH_LONGER));
    }

    long holdNanos() {
        return ThreadLocalRandom.current().nextLong(shortestHold.toNanos(), longestHold.toNanos());
    }
}
