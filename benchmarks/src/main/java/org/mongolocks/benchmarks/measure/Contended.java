package org.mongolocks.benchmarks.measure;

import java.util.List;

/**
 * Tells how several threads shared one lock.
 *
 * @param threads how many threads
 * @param seconds how long they contended
 * @param grants how often they got the lock, altogether
 * @param fairness Jain's index of the grants of each thread, from 1 / threads to 1; 0 without a grant
 * @param longestWaitNanos the longest time from a question for the lock to the grant, or to the end of the run
 * @param commands how many commands were sent for the lock, waiting and releasing included
 * @param violations what the protected data witnessed
 */
public record Contended(
        int threads,
        double seconds,
        long grants,
        double fairness,
        long longestWaitNanos,
        long commands,
        Violations violations) {
    /** Takes turns of the same threads as one, at least one turn: the fairness is the mean of theirs. */
    public static Contended total(List<Contended> turns) {
        return new Contended(
                turns.get(0).threads,
                turns.stream().mapToDouble(Contended::seconds).sum(),
                turns.stream().mapToLong(Contended::grants).sum(),
                turns.stream().mapToDouble(Contended::fairness).average().orElse(0),
                turns.stream().mapToLong(Contended::longestWaitNanos).max().orElse(0),
                turns.stream().mapToLong(Contended::commands).sum(),
                turns.stream().map(Contended::violations).reduce(Violations.NONE, Violations::plus));
    }

    /** Gives the throughput. */
    public double grantsPerSecond() {
        return grants / seconds;
    }

    /** Gives how many commands each grant cost; without a grant, how many were sent in vain. */
    public double commandsPerGrant() {
        return (double) commands / Math.max(1, grants);
    }
}
