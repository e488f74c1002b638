package org.mongolocks.study.process;

import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.mongolocks.study.check.Violation.Finding;

/**
 * The result of a soak; its components are those of the file {@code soak.json}.
 *
 * @param grants the grants by strategy
 * @param events the outcomes of acquisitions and other events, by kind
 * @param faults the faults by kind
 * @param faultsNotInjected the kinds of faults that the server does not permit, each with its reason
 * @param expectedFindings the findings that the library does not prevent
 * @param largestClientHeapBytes the largest memory of a client process
 * @param mostClientThreads the most threads of a client process
 * @param mostOtherClientThreads the most threads outside of the pools of open clients
 * @param violations the number of violations
 * @param firstViolations the first violations
 * @param leaks a sentence for each leak
 * @param notJudged a sentence for each lock about which a busy machine has shown nothing
 * @param failures why the run ended early, for example because a client exited unexpectedly
 */
public record RunResult(
        Map<String, Long> grants,
        Map<String, Long> events,
        Map<String, Long> faults,
        Map<String, String> faultsNotInjected,
        Map<String, Long> expectedFindings,
        long largestClientHeapBytes,
        int mostClientThreads,
        int mostOtherClientThreads,
        long violations,
        List<Found> firstViolations,
        List<String> leaks,
        List<String> notJudged,
        List<String> failures) {

    /**
     * A violation.
     *
     * @param finding its kind
     * @param technique the strategy
     * @param lock the number of the lock
     * @param text the events that show it, for readers
     * @param events these events
     */
    public record Found(Finding finding, String technique, int lock, String text, List<Document> events) {}

    /** Returns whether nothing was found; something may have been {@linkplain #notJudged not judged}. */
    public boolean isSound() {
        return violations == 0 && leaks.isEmpty() && failures.isEmpty();
    }
}
