package org.mongolocks.benchmarks.sampling;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.mongolocks.benchmarks.run.BenchmarkContext;

/**
 * A division of a benchmark into rounds, each with one sample of every participant. With time for at least four rounds,
 * the first is a warm-up and does not count, and the others yield a confidence interval; with less time, all rounds
 * count. If samples take longer than planned, there are fewer rounds, but at least one that counts.
 *
 * @param context the run
 * @param all the number of rounds
 * @param sampleTime the time of each sample
 * @param endNanos the time after which no further round starts
 */
public record Rounds(BenchmarkContext context, int all, Duration sampleTime, long endNanos) {
    private static final int MIN_TO_WARM_UP = 4;
    private static final int MOST = 200;

    /** The part of a benchmark that runs in each round. */
    @FunctionalInterface
    public interface Part {
        void run(Round round) throws InterruptedException;
    }

    /**
     * One round.
     *
     * @param number its number, from 1
     * @param counts whether its figures count
     */
    public record Round(int number, boolean counts) {
        /**
         * Returns the participants in the order of this round, which alternates: if the server becomes slower all the
         * time, each of two participants is the later one in every second round.
         */
        public <T> List<T> inOrder(List<T> participants) {
            List<T> order = new ArrayList<>(participants);
            if (number % 2 == 0) {
                Collections.reverse(order);
            }
            return order;
        }
    }

    /**
     * Returns as many rounds as fit into the time, at least one.
     *
     * @param context the run
     * @param time the time of all rounds together
     * @param samples the number of samples in each round
     * @param shortest the minimum useful duration of a sample
     */
    public static Rounds within(BenchmarkContext context, Duration time, int samples, Duration shortest) {
        long some = Math.max(1, samples);
        long fit = time.dividedBy(shortest.multipliedBy(some));
        int rounds = (int) Math.max(1, Math.min(MOST, fit));
        return new Rounds(context, rounds, time.dividedBy(rounds * some), System.nanoTime() + time.toNanos());
    }

    public void each(Part part) throws InterruptedException {
        boolean warmsUp = all >= MIN_TO_WARM_UP;
        boolean goesOn = true;
        for (int number = 1; number <= all && goesOn; number++) {
            context.step("round " + number + " of " + all);
            Round round = new Round(number, number > 1 || !warmsUp);
            part.run(round);
            goesOn = !round.counts() || System.nanoTime() < endNanos;
        }
    }
}
