package org.mongolocks.benchmarks.harness;

import java.util.List;
import org.mongolocks.benchmarks.measure.Contended;
import org.mongolocks.benchmarks.measure.Fairness;
import org.mongolocks.benchmarks.measure.Violations;

/**
 * Is what a crowd did in a stretch of time.
 *
 * @param nanos how long it was
 * @param grants how often each got the lock
 * @param longestWaitNanos the longest wait of anybody, begun before it or not over at its end included
 * @param commands how many commands were sent
 */
record Window(long nanos, List<Long> grants, long longestWaitNanos, long commands) {
    Window {
        grants = List.copyOf(grants);
    }

    Contended contended(Violations violations) {
        return new Contended(
                grants.size(),
                nanos / 1e9,
                grants.stream().mapToLong(Long::longValue).sum(),
                Fairness.jain(grants),
                longestWaitNanos,
                commands,
                violations);
    }
}
