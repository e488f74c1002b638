package org.mongolocks.benchmarks.workload;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.StrategySummary;
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

    /** Combines results of the same threads, at least one. The fairness is their mean. */
    public static ContentionResult total(List<ContentionResult> results) {
        return new ContentionResult(
                results.get(0).threads,
                results.stream().mapToDouble(ContentionResult::seconds).sum(),
                results.stream().mapToLong(ContentionResult::grants).sum(),
                results.stream()
                        .mapToDouble(ContentionResult::fairness)
                        .average()
                        .orElse(0),
                results.stream()
                        .mapToLong(ContentionResult::longestWaitNanos)
                        .max()
                        .orElse(0),
                results.stream().mapToLong(ContentionResult::commands).sum(),
                results.stream().map(ContentionResult::violations).reduce(Violations.NONE, Violations::plus));
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

    /** Returns the figures for the summary of the strategies. */
    public Map<Metric, Double> summary() {
        return Map.of(
                StrategySummary.THREADS, (double) threads,
                StrategySummary.SECONDS, seconds,
                StrategySummary.GRANTS, (double) grants,
                StrategySummary.GRANTS_PER_SECOND, grantsPerSecond(),
                StrategySummary.FAIRNESS, fairness,
                StrategySummary.LONGEST_WAIT, (double) longestWaitNanos,
                StrategySummary.COMMANDS_PER_GRANT, commandsPerGrant(),
                StrategySummary.NOT_ALONE, (double) violations.notAlone(),
                StrategySummary.UNORDERED_TOKENS, (double) violations.unorderedTokens(),
                StrategySummary.LOST_UPDATES, (double) violations.lostUpdates());
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
