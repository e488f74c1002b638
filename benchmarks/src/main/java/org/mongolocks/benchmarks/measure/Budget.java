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
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Duration SHORT_TURN = Duration.ofMillis(40);
    private static final Duration LONG_TURN = Duration.ofMillis(100);

    /** Divides a time among the parts for so many strategies. */
    static Budget within(Duration time, int strategies) {
        boolean isLong = time.compareTo(LONG) > 0;
        int rounds = isLong ? 12 : 5;
        Duration each = time.dividedBy(Math.max(1, strategies));
        return new Budget(
                time.dividedBy(10L * (strategies + 1)),
                rounds,
                time.multipliedBy(4).dividedBy(10L * rounds),
                isLong ? LONG_TURN : SHORT_TURN,
                each.dividedBy(50),
                each.multipliedBy(2).dividedBy(10),
                each.dividedBy(12));
    }
}
