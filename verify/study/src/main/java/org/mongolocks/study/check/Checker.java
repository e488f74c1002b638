package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.List;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;

/**
 * The checker of histories, of real servers and of simulated ones. An indeterminate operation has no known end: an
 * acquisition without a reply does not count as a grant, and after a release without a reply the lock is released for
 * its holder only.
 */
public final class Checker {
    private Checker() {}

    /**
     * Checks a history.
     *
     * @param history the history
     * @param claims the claims of the technique
     * @return the verdict
     */
    public static Verdict check(History history, Claims claims) {
        return check(history, claims, HandoverLimits.NONE);
    }

    /**
     * Checks a history, and the bounds of its row.
     *
     * @param history the history
     * @param claims the claims of the technique
     * @param bounds the bounds of the row
     * @return the verdict
     */
    public static Verdict check(History history, Claims claims, HandoverLimits bounds) {
        List<Event> events = history.events();
        List<Grant> grants = GrantParser.of(history, claims);
        List<Violation> found = new ArrayList<>();
        HistoryByLock.apart(history).forEach(one -> found.addAll(violations(one, claims, bounds)));
        found.addAll(LivenessCheck.leaks(events));
        found.addAll(DeadlockCheck.check(history));
        found.addAll(Handovers.check(history));
        if (claims.hasTokens()) {
            found.addAll(Refusals.check(history));
        }
        return new Verdict(
                List.copyOf(found),
                grants.size(),
                (int) events.stream().filter(event -> isAbort(event, claims)).count(),
                LivenessCheck.recoveries(events, grants),
                LivenessCheck.longestHandoff(events),
                FairnessMeasure.of(grants),
                PostGrantCosts.mostRenewalsTooMany(history, grants));
    }

    /** Checks a single lock. */
    private static List<Violation> violations(History history, Claims claims, HandoverLimits bounds) {
        List<Event> events = history.events();
        List<Grant> grants = GrantParser.of(history, claims);
        List<Violation> found = new ArrayList<>(MutualExclusionCheck.believed(grants));
        found.addAll(StaleWriteCheck.check(events, claims));
        found.addAll(StaleWriteCheck.lostUpdates(events));
        found.addAll(GuardedTransactionCheck.check(events, grants));
        if (claims.hasTokens()) {
            found.addAll(FencingTokenCheck.check(grants));
        }
        found.addAll(claims.isOptimistic() ? CompareAndSetCheck.check(events) : exclusion(events, grants));
        found.addAll(ReentrancyCheck.check(events));
        found.addAll(FairnessOrderCheck.check(events));
        found.addAll(Promptness.check(events, grants, claims.isOptimistic() ? HandoverLimits.NONE : bounds));
        return found;
    }

    private static List<Violation> exclusion(List<Event> events, List<Grant> grants) {
        List<Violation> found = new ArrayList<>(MutualExclusionCheck.definite(grants));
        found.addAll(ReleaseCheck.check(grants));
        found.addAll(ReleaseCheck.forced(events, grants));
        return found;
    }

    private static boolean isAbort(Event event, Claims claims) {
        return event.op() == Op.ABORT || (claims.isOptimistic() && event.is(Op.RELEASE, Phase.FAIL));
    }
}
