package org.mongolocks.benchmarks.measure;

import java.time.Duration;

/**
 * Says how much time each part of a comparison gets. A part that is slower than its time still runs once.
 *
 * @param warmUp for the floor, and for each strategy, before anything is measured
 * @param rounds how often each strategy and the floor take turns
 * @param block for each turn
 * @param costs for counting the commands of each strategy
 * @param contention for the contenders of each strategy
 */
public record Budget(Duration warmUp, int rounds, Duration block, Duration costs, Duration contention) {
    /** Gives the budget of a run that ends within a minute with the five strategies. */
    public static Budget quick() {
        return new Budget(
                Duration.ofSeconds(2), 5, Duration.ofMillis(220), Duration.ofMillis(200), Duration.ofSeconds(2));
    }

    /** Gives the budget of a run of a few minutes with the five strategies. */
    public static Budget full() {
        return new Budget(
                Duration.ofSeconds(6), 12, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(12));
    }
}
