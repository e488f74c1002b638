package org.mongolocks.benchmarks.sampling;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.mongolocks.benchmarks.run.BenchmarkContext;

/**
 * The time of a benchmark that runs in rounds, from now on. When it is over, rounds that are missing still run as
 * long as they end before the limit at the pace of the last one: without them, there are no differences.
 */
public final class RoundBudget {
    /** The rounds that an interval needs. */
    public static final int FOR_AN_INTERVAL = 3;
    /** The rounds that a bootstrap of the interval needs. */
    public static final int FOR_A_BOOTSTRAP = 6;

    private final LongSupplier nanoClock;
    private final Duration time;
    private final Duration limit;
    private final int least;
    private final long beganNanos;

    /**
     * Starts the time.
     *
     * @param nanoClock the clock, in nanoseconds
     * @param time the time of all rounds together
     * @param limit the time after which no round begins that is expected to end later
     * @param least the number of rounds that must count, if there is any time for them
     */
    RoundBudget(LongSupplier nanoClock, Duration time, Duration limit, int least) {
        this.nanoClock = nanoClock;
        this.time = time;
        this.limit = limit;
        this.least = least;
        this.beganNanos = nanoClock.getAsLong();
    }

    /**
     * Starts the time.
     *
     * @param least the number of rounds that must count, if there is any time for them
     */
    public static RoundBudget of(BenchmarkContext context, Duration time, int least) {
        return new RoundBudget(System::nanoTime, time, context.left(), least);
    }

    Duration time() {
        return time;
    }

    int least() {
        return least;
    }

    /** Returns a moment, for the start of a round. */
    public long now() {
        return nanoClock.getAsLong();
    }

    /** Returns whether the time is not over. */
    boolean isOpen() {
        return leftNanos() > 0;
    }

    /**
     * Returns whether another round runs: if half of it fits at the pace of the last one, so that rounds exceed the time
     * as often as not, or if it is missing.
     *
     * @param counted the number of rounds that have counted
     * @param startedNanos the start of the last round
     */
    public boolean goesOn(int counted, long startedNanos) {
        return leftNanos() > (now() - startedNanos) / 2 || allowsMissing(counted, startedNanos);
    }

    /** Returns whether a round is missing, and ends before the limit. */
    boolean allowsMissing(int counted, long startedNanos) {
        long now = now();
        return counted < least && now - startedNanos <= limit.toNanos() - (now - beganNanos);
    }

    private long leftNanos() {
        return time.toNanos() - (now() - beganNanos);
    }
}
