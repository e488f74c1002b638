package org.mongolocks.study.check;

import java.util.List;
import java.util.Optional;

/**
 * The result of checking a history.
 *
 * @param violations the violations, in the order of the checks, and of time within each
 * @param grants the number of grants
 * @param aborts how often a holder aborted its work
 * @param recoveriesNanos the time from each crash of a holder to the next grant
 * @param longestHandoffNanos the longest wait while the lock was not held
 * @param fairness the order of the grants
 * @param mostRenewalsTooMany the largest excess of renewals of a grant over one for each third of a lease
 */
public record Verdict(
        List<Violation> violations,
        int grants,
        int aborts,
        List<Long> recoveriesNanos,
        long longestHandoffNanos,
        FairnessMeasure fairness,
        int mostRenewalsTooMany) {

    /**
     * Returns whether a violation of a kind was found.
     *
     * @param finding the kind
     * @return true if it was found
     */
    public boolean has(Finding finding) {
        return first(finding).isPresent();
    }

    /**
     * Returns the earliest violation of a kind.
     *
     * @param finding the kind
     * @return the violation, if there is one
     */
    public Optional<Violation> first(Finding finding) {
        return violations.stream()
                .filter(violation -> violation.finding() == finding)
                .findFirst();
    }
}
