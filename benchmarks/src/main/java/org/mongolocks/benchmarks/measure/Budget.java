package org.mongolocks.benchmarks.measure;

import java.time.Duration;

/**
 * Says how much time each part of a comparison gets. A part that is slower than its time is still done once.
 *
 * @param warmUp for the floor, and for each strategy, before anything is measured
 * @param rounds how many rounds there are
 * @param round for each round, in which the floor and the strategies take turns again and again
 * @param turn for each turn
 * @param costs for counting the commands of each strategy
 * @param contention for the contenders of each strategy
 * @param crowd for each number of waiters of each strategy
 */
public record Budget(
        Duration warmUp,
        int rounds,
        Duration round,
        Duration turn,
        Duration costs,
        Duration contention,
        Duration crowd) {
    /** Gives the budget of a run that ends within a minute with the five strategies. */
    public static Budget quick() {
        return new Budget(
                Duration.ofSeconds(2),
                5,
                Duration.ofMillis(2_400),
                Duration.ofMillis(40),
                Duration.ofMillis(200),
                Duration.ofSeconds(2),
                Duration.ofMillis(400));
    }

    /** Gives the budget of a run of a few minutes with the five strategies. */
    public static Budget full() {
        return new Budget(
                Duration.ofSeconds(6),
                12,
                Duration.ofSeconds(11),
                Duration.ofMillis(100),
                Duration.ofSeconds(1),
                Duration.ofSeconds(12),
                Duration.ofSeconds(5));
    }
}
