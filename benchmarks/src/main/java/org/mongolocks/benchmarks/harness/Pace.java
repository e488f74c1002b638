package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.mongolocks.benchmarks.rival.Waiting;

/**
 * Says how fast two hand a lock to each other, and for how long. How long a holder holds varies, so that no waiter that
 * polls is in step with it.
 *
 * @param shortestHold how long a holder holds at least, so that the other waits already
 * @param longestHold how long it holds at most; longer than the shortest
 * @param uncounted how many hand-offs come before the first that counts
 * @param time how long they go on
 */
record Pace(Duration shortestHold, Duration longestHold, int uncounted, Duration time) {
    private static final Duration SHORTEST_HOLD = Duration.ofMillis(5);
    private static final Duration HOLDS_DIFFER = Duration.ofMillis(10);
    /** A waiter that is told has to open its change stream first. */
    private static final int UNTIL_TOLD = 4;

    private static final int SO_MUCH_FASTER = 10;
    private static final int SO_MUCH_LONGER = 4;

    /** Gives the pace at which hand-offs are measured. */
    static Pace measured(Waiting waiting, Duration time) {
        Duration longest = SHORTEST_HOLD.plus(HOLDS_DIFFER).plus(waiting.period());
        return new Pace(SHORTEST_HOLD, longest, waiting.period().isZero() ? UNTIL_TOLD : 1, time);
    }

    /** Gives a pace for many hand-offs before that, so that none is measured whose code the JVM has not compiled. */
    static Pace warmingUp(Duration time) {
        Duration longest = SHORTEST_HOLD.plus(HOLDS_DIFFER).dividedBy(SO_MUCH_FASTER);
        return new Pace(SHORTEST_HOLD.dividedBy(SO_MUCH_FASTER), longest, 0, time.multipliedBy(SO_MUCH_LONGER));
    }

    long holdNanos() {
        return ThreadLocalRandom.current().nextLong(shortestHold.toNanos(), longestHold.toNanos());
    }
}
