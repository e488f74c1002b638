package org.mongolocks.contract.soak;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.spi.LockStrategy;

/**
 * The plan of a run.
 *
 * @param length its duration
 * @param seed determines the faults and the actions of each worker
 * @param strategies the strategies, each with a party on either driver
 * @param clients wraps clients, to check that their mistakes are detected
 */
record SoakPlan(Duration length, long seed, List<LockStrategy> strategies, UnaryOperator<BlockingLocks> clients) {
    /** In shorter runs heap growth cannot be measured. */
    private static final Duration LONG = Duration.ofMinutes(2);

    SoakPlan(Duration length, long seed, List<LockStrategy> strategies) {
        this(length, seed, List.copyOf(strategies), UnaryOperator.identity());
    }

    boolean isLong() {
        return length.compareTo(LONG) >= 0;
    }
}
