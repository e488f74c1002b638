package org.mongolocks.study.check;

import java.util.List;
import java.util.Optional;

/**
 * Is what the checker says about a history.
 *
 * @param violations what must not have happened, in the order of the checks, and of time within each
 * @param grants how often somebody got the lock
 * @param aborts how often a holder gave its work up
 * @param recoveriesNanos how long it took, after each crash of a holder, until another got the lock
 * @param longestHandoffNanos how long somebody waited at most while nobody had the lock
 * @param fairness in which order the grants came
 * @param mostRenewalsTooMany by how many the renewals of a grant were more than one for each third of a lease
 */
public record Verdict(
        List<Violation> violations,
        int grants,
        int aborts,
        List<Long> recoveriesNanos,
        long longestHandoffNanos,
        Fairness fairness,
        int mostRenewalsTooMany) {

    /**
     * Tells whether something was found.
     *
     * @param finding what
     * @return true if it was
     */
    public boolean has(Finding finding) {
        return first(finding).isPresent();
    }

    /**
     * Gives the earliest of a kind.
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
