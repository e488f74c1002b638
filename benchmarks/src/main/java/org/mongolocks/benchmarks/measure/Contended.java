package org.mongolocks.benchmarks.measure;

import java.util.List;

/**
 * Tells how several threads shared one lock.
 *
 * @param threads how many threads
 * @param seconds how long they contended
 * @param grants how often they got the lock, altogether
 * @param fairness Jain's index of the grants of each thread, from 1 / threads to 1
 * @param longestWaitNanos the longest time from a question for the lock to the grant, or to the end of the run
 * @param commandsPerGrant how many commands were sent for the lock for each grant, waiting and releasing included
 * @param violations what the protected data witnessed
 * @param errors each lock that was lost, and each operation that failed, in words
 */
public record Contended(
        int threads,
        double seconds,
        long grants,
        double fairness,
        long longestWaitNanos,
        double commandsPerGrant,
        Violations violations,
        List<String> errors) {
    public Contended {
        errors = List.copyOf(errors);
    }

    /** Gives the throughput. */
    public double grantsPerSecond() {
        return grants / seconds;
    }
}
