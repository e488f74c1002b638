package org.mongolocks.benchmarks.sampling;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;

/**
 * A division of a benchmark into rounds, each with one sample of every participant. With time for at least four rounds,
 * the first is a warm-up and does not count, unless the run is quick; with less time, all rounds count. If samples take
 * longer than planned, there are fewer rounds, but at least one that counts, and as many as the budget allows beyond its
 * time.
 *
 * @param context the run
 * @param all the number of rounds
 * @param warmsUp whether the first of them is a warm-up
 * @param sampleTime the time of each sample
 * @param budget the time of all rounds together
 */
public record Rounds(BenchmarkContext context, int all, boolean warmsUp, Duration sampleTime, RoundBudget budget) {
    private static final int MIN_TO_WARM_UP = 4;
    private static final int MAX_ROUNDS = 2_000;

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

        /** Returns as many rounds in place of this one, for a part of the benchmark that runs again. */
        public List<Round> parts(int times) {
            return IntStream.rangeClosed(1, times)
                    .mapToObj(part -> new Round((number - 1) * times + part, counts))
                    .toList();
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
        return within(context, RoundBudget.of(context, time, 1), samples, shortest);
    }

    /** Returns as many rounds as fit into a budget, and at least as many as it wants. */
    public static Rounds within(BenchmarkContext context, RoundBudget budget, int samples, Duration shortest) {
        Duration time = budget.time();
        long some = Math.max(1, samples);
        long fit = Math.min(MAX_ROUNDS, time.dividedBy(shortest.multipliedBy(some)));
        boolean warmsUp = fit >= MIN_TO_WARM_UP && context.mode() != RunLength.QUICK;
        int rounds = (int) Math.max(budget.least() + (warmsUp ? 1 : 0), fit);
        Duration share = time.dividedBy(rounds * some);
        Duration useful = fit > 0 ? shortest : time.dividedBy(some);
        return new Rounds(context, rounds, warmsUp, share.compareTo(useful) < 0 ? useful : share, budget);
    }

    /** Runs rounds of no fixed length while there are strategies, and another is expected to fit into the budget. */
    public static void repeat(BenchmarkContext context, RoundBudget budget, Part part) throws InterruptedException {
        int number = 0;
        long startedNanos;
        do {
            startedNanos = budget.now();
            number++;
            context.step("round " + number);
            part.run(new Round(number, true));
        } while (budget.goesOn(number, startedNanos) && !context.strategies().isEmpty());
    }

    public void each(Part part) throws InterruptedException {
        int counted = 0;
        boolean goesOn = true;
        for (int number = 1; number <= all && goesOn; number++) {
            context.step("round " + number + " of " + all);
            Round round = new Round(number, number > 1 || !warmsUp);
            long startedNanos = budget.now();
            part.run(round);
            counted += round.counts() ? 1 : 0;
            goesOn = counted == 0 || budget.isOpen() || budget.allowsMissing(counted, startedNanos);
        }
    }
}
