package org.mongolocks.benchmarks.sampling;

import java.time.Duration;
import org.mongolocks.benchmarks.run.BenchmarkContext;

/**
 * A division of a benchmark into rounds, each with one turn of every participant. With time for at least four rounds,
 * the first is a warm-up and does not count, and the others yield a confidence interval; with less time, all rounds
 * count. If turns take longer than planned, there are fewer rounds, but at least one that counts.
 *
 * @param context the run
 * @param all the number of rounds
 * @param turn the time of each turn
 * @param endNanos the time after which no further round starts
 */
public record Rounds(BenchmarkContext context, int all, Duration turn, long endNanos) {
    private static final int MIN_TO_WARM_UP = 4;
    private static final int MOST = 31;

    /** One round. */
    @FunctionalInterface
    public interface Round {
        void run(boolean counts) throws InterruptedException;
    }

    /**
     * Returns as many rounds as fit into the time, at least one.
     *
     * @param context the run
     * @param time the time of all rounds together
     * @param turns the number of turns in each round
     * @param shortest the minimum useful duration of a turn
     */
    public static Rounds within(BenchmarkContext context, Duration time, int turns, Duration shortest) {
        long some = Math.max(1, turns);
        long fit = time.dividedBy(shortest.multipliedBy(some));
        int rounds = (int) Math.max(1, Math.min(MOST, fit));
        return new Rounds(context, rounds, time.dividedBy(rounds * some), System.nanoTime() + time.toNanos());
    }

    public void each(Round round) throws InterruptedException {
        boolean warmsUp = all >= MIN_TO_WARM_UP;
        boolean counts = !warmsUp;
        boolean goesOn = true;
        for (int number = 1; number <= all && goesOn; number++) {
            context.step("round " + number + " of " + all);
            round.run(counts);
            goesOn = !counts || System.nanoTime() < endNanos;
            counts = true;
        }
    }
}
