package org.mongolocks.benchmarks.measure;

import java.time.Duration;

/**
 * Says how much time each part of the table gets. A part that is slower than its time is still done once.
 *
 * @param costs for counting the commands of each strategy
 * @param contention for the contenders of each strategy
 * @param crowd for each number of waiters of each strategy
 */
record Budget(Duration costs, Duration contention, Duration crowd) {
    /** Divides a time among the parts of so many strategies. */
    static Budget within(Duration time, int strategies) {
        Duration tenth = time.dividedBy(10L * Math.max(1, strategies));
        return new Budget(tenth, tenth.multipliedBy(3), tenth.multipliedBy(2));
    }
}
