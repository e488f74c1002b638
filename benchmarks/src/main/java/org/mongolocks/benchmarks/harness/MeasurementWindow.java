package org.mongolocks.benchmarks.harness;

import java.util.List;
import org.mongolocks.benchmarks.measure.ContentionResult;
import org.mongolocks.benchmarks.measure.Fairness;
import org.mongolocks.benchmarks.measure.Violations;

/**
 * The counts of all workers in a measurement window.
 *
 * @param nanos the length of the window
 * @param grants the number of grants of each worker
 * @param longestWaitNanos the longest wait of any worker, including waits that began before the window or were not over
 *     at its end
 * @param commands the number of commands sent
 */
record MeasurementWindow(long nanos, List<Long> grants, long longestWaitNanos, long commands) {
    MeasurementWindow {
        grants = List.copyOf(grants);
    }

    ContentionResult contended(Violations violations) {
        return new ContentionResult(
                grants.size(),
                nanos / 1e9,
                grants.stream().mapToLong(Long::longValue).sum(),
                Fairness.jain(grants),
                longestWaitNanos,
                commands,
                violations);
    }
}
