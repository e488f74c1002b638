package org.mongolocks.benchmarks.workload;

import java.util.Collection;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;

/**
 * The results of several threads that contended for one lock.
 *
 * @param grants the number of grants to all threads
 * @param fairness Jain's index of the grants of each thread, from 1 / threads to 1; 0 without a grant
 * @param longestWaitNanos the longest time from a request to its grant, or to the end of the run
 * @param commands the number of commands, including those of waiting and releasing
 * @param violations the violations detected by the protected data
 */
public record ContentionResult(
        int threads,
        double seconds,
        long grants,
        double fairness,
        long longestWaitNanos,
        long commands,
        Violations violations) {
    /** Returns a copy with the violations. */
    public ContentionResult with(Violations detected) {
        return new ContentionResult(threads, seconds, grants, fairness, longestWaitNanos, commands, detected);
    }

    /** Returns Jain's index: 1 if all shares are equal, 1/n if one of n has everything, 0 if nothing was shared. */
    public static double jainIndex(Collection<Long> shares) {
        double sum = 0;
        double squares = 0;
        for (long share : shares) {
            sum += share;
            squares += (double) share * share;
        }
        return squares == 0 ? 0 : sum * sum / (shares.size() * squares);
    }

    /** Returns the throughput. */
    public double grantsPerSecond() {
        return grants / seconds;
    }

    /** Returns the number of commands per grant; without a grant, the number of all commands. */
    public double commandsPerGrant() {
        return (double) commands / Math.max(1, grants);
    }
}
