package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.mongolocks.study.check.Promptness.HandoverLimits;
import org.mongolocks.study.check.Promptness.Handovers;
import org.mongolocks.study.check.Violation.Finding;
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
    private static final int RENEWALS_IN_A_LEASE = 3;

    private Checker() {}

    /** Checks a history. */
    public static Verdict check(History history, Claims claims) {
        return check(history, claims, HandoverLimits.NONE);
    }

    /** Checks a history, and the bounds of its row. */
    public static Verdict check(History history, Claims claims, HandoverLimits bounds) {
        List<Event> events = history.events();
        List<Grant> grants = Grant.Parser.of(history, claims);
        List<Violation> found = new ArrayList<>();
        byLock(history).forEach(one -> found.addAll(violations(one, claims, bounds)));
        found.addAll(LivenessCheck.leaks(events));
        found.addAll(LivenessCheck.deadlocks(history));
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
                mostRenewalsTooMany(history, grants),
                Map.of());
    }

    /** Checks a single lock. */
    private static List<Violation> violations(History history, Claims claims, HandoverLimits bounds) {
        List<Event> events = history.events();
        List<Grant> grants = Grant.Parser.of(history, claims);
        List<Violation> found = new ArrayList<>(MutualExclusionCheck.believed(grants));
        found.addAll(WriteCheck.check(events, claims));
        found.addAll(WriteCheck.lostUpdates(events));
        found.addAll(WriteCheck.guarded(events, grants));
        if (claims.hasTokens()) {
            found.addAll(Promptness.losses(events, bounds));
            found.addAll(FencingTokenCheck.check(grants));
        }
        found.addAll(claims.isOptimistic() ? MutualExclusionCheck.overwritten(events) : exclusion(events, grants));
        found.addAll(ReentrancyCheck.check(events));
        found.addAll(LeadershipCheck.check(events, grants));
        found.addAll(FairnessCheck.outOfTurn(events));
        found.addAll(Promptness.check(history, grants, claims.isOptimistic() ? HandoverLimits.NONE : bounds));
        return found;
    }

    private static List<Violation> exclusion(List<Event> events, List<Grant> grants) {
        List<Violation> found = new ArrayList<>(MutualExclusionCheck.definite(grants));
        found.addAll(MutualExclusionCheck.foreignReleases(grants));
        found.addAll(MutualExclusionCheck.forcedReleases(events, grants));
        return found;
    }

    private static boolean isAbort(Event event, Claims claims) {
        return event.op() == Op.ABORT || (claims.isOptimistic() && event.is(Op.RELEASE, Phase.FAIL));
    }

    /** Splits a history of several locks into one for each; faults of a process are in each of them. O(n) for each lock. */
    private static List<History> byLock(History history) {
        if (history.events().stream().allMatch(event -> event.lock() == 0)) {
            return List.of(history);
        }
        Map<Integer, List<Event>> byLock = new TreeMap<>();
        history.events().forEach(event -> byLock.computeIfAbsent(event.lock(), lock -> new ArrayList<>()));
        for (Event event : history.events()) {
            byLock.forEach((lock, events) -> {
                if (lock == event.lock() || isOfAll(event)) {
                    events.add(event);
                }
            });
        }
        return byLock.values().stream()
                .map(events -> new History(history.ttlNanos(), history.handoverNanos(), events))
                .toList();
    }

    private static boolean isOfAll(Event event) {
        return event.op() == Op.CRASH || event.op() == Op.PAUSE || event.op() == Op.DISCARDED;
    }

    /**
     * Compares the number of renewals with the number needed: one in each third of a lease. O(n).
     *
     * @return the largest excess of any grant; negative if each had fewer
     */
    private static int mostRenewalsTooMany(History history, List<Grant> grants) {
        Map<Integer, Integer> renewals = new HashMap<>();
        for (Event event : history.events()) {
            if (event.is(Op.RENEW, Phase.INVOKE)) {
                renewals.merge(event.grant(), 1, Integer::sum);
            }
        }
        long third = history.ttlNanos() / RENEWALS_IN_A_LEASE;
        return grants.stream()
                .filter(grant -> grant.release().invokedNanos() < Long.MAX_VALUE)
                .mapToInt(grant -> {
                    long held = grant.release().invokedNanos() - grant.okNanos();
                    return renewals.getOrDefault(grant.id(), 0) - (int) ((held + third - 1) / third);
                })
                .max()
                .orElse(0);
    }

    /**
     * The result of checking a history.
     *
     * @param violations the violations, in the order of the checks, and of time within each
     * @param grants the number of grants
     * @param aborts how often a holder aborted its work
     * @param recoveriesNanos the time from each crash of a holder to the next grant
     * @param longestHandoffNanos the longest wait while the lock was not held
     * @param mostRenewalsTooMany the largest excess of renewals of a grant over one for each third of a lease
     * @param longestNanos the longest time of a finding, where a loss or a lock that is left free was measured
     */
    public record Verdict(
            List<Violation> violations,
            int grants,
            int aborts,
            List<Long> recoveriesNanos,
            long longestHandoffNanos,
            int mostRenewalsTooMany,
            Map<Finding, Long> longestNanos) {

        /** Returns this verdict with more violations, and with the longest times. */
        Verdict with(List<Violation> more, Map<Finding, Long> longest) {
            List<Violation> all =
                    Stream.concat(violations.stream(), more.stream()).toList();
            return new Verdict(
                    all,
                    grants,
                    aborts,
                    recoveriesNanos,
                    longestHandoffNanos,
                    mostRenewalsTooMany,
                    Map.copyOf(longest));
        }

        /** Returns whether a violation of a kind was found. */
        public boolean has(Finding finding) {
            return first(finding).isPresent();
        }

        /**
         * Returns the earliest violation of a kind.
         *
         * @return the violation, if there is one
         */
        public Optional<Violation> first(Finding finding) {
            return violations.stream()
                    .filter(violation -> violation.finding() == finding)
                    .findFirst();
        }
    }

    /**
     * The claims of a technique, by which it is judged.
     *
     * @param hasTokens whether grants have tokens that grow
     * @param hasLease whether a grant ends by itself
     * @param isOptimistic whether many may work at once, and a release writes the protected document only if no other has
     *     written it since; the token of a grant is the version that it read
     */
    public record Claims(boolean hasTokens, boolean hasLease, boolean isOptimistic) {}
}
