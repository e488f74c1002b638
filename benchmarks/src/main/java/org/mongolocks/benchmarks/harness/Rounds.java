package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import org.mongolocks.benchmarks.measure.Session;

/**
 * Divides a benchmark into rounds, in each of which all take a turn. Where there is time for four, the first warms up and
 * does not count, and the others give an interval. Where there is not, all count. When turns take longer than they should,
 * there are fewer rounds, at least one that counts.
 *
 * @param session the run
 * @param all how many there are
 * @param turn the time of each turn
 * @param endNanos when no further round begins
 */
record Rounds(Session session, int all, Duration turn, long endNanos) {
    private static final int FEWEST_TO_WARM_UP = 4;
    private static final int MOST = 31;

    /** Is one round. */
    @FunctionalInterface
    interface Round {
        void run(boolean counts) throws InterruptedException;
    }

    /**
     * Makes as many rounds as there is time for, at least one.
     *
     * @param session the run
     * @param time for all of them
     * @param turns how many there are in each round
     * @param shortest a turn that is shorter says little
     */
    static Rounds within(Session session, Duration time, int turns, Duration shortest) {
        long some = Math.max(1, turns);
        long fit = time.dividedBy(shortest.multipliedBy(some));
        int rounds = (int) Math.max(1, Math.min(MOST, fit));
        return new Rounds(session, rounds, time.dividedBy(rounds * some), System.nanoTime() + time.toNanos());
    }

    void each(Round round) throws InterruptedException {
        boolean warmsUp = all >= FEWEST_TO_WARM_UP;
        boolean counts = !warmsUp;
        boolean goesOn = true;
        for (int number = 1; number <= all && goesOn; number++) {
            session.step("round " + number + " of " + all);
            round.run(counts);
            goesOn = !counts || System.nanoTime() < endNanos;
            counts = true;
        }
    }
}
