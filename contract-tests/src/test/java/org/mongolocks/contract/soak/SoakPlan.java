package org.mongolocks.contract.soak;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.mongolocks.contract.BlockingLocks;
import org.mongolocks.spi.LockStrategy;

/**
 * Says what to run.
 *
 * @param length for how long
 * @param seed decides which faults come when, and what each worker does
 * @param strategies which strategies, each with a party on either driver
 * @param clients changes clients, to see whether their mistakes are found
 */
record SoakPlan(Duration length, long seed, List<LockStrategy> strategies, UnaryOperator<BlockingLocks> clients) {
    /** Shorter runs say nothing about a heap. */
    private static final Duration LONG = Duration.ofMinutes(2);

    SoakPlan(Duration length, long seed, List<LockStrategy> strategies) {
        this(length, seed, List.copyOf(strategies), UnaryOperator.identity());
    }

    boolean isLong() {
        return length.compareTo(LONG) >= 0;
    }
}
