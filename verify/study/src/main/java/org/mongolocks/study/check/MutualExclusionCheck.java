package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.study.check.Grant.Interval;

/**
 * Finds pairs of grants that were held at the same time. Sorts them by their beginnings and keeps the latest end so
 * far: O(n log n).
 */
final class MutualExclusionCheck {
    private MutualExclusionCheck() {}

    /** A grant is certainly held from the reply to its request until the end of its lease at the latest. */
    static List<Violation> definite(List<Grant> grants) {
        Stream<Interval> held = grants.stream()
                .map(grant -> new Interval(grant.id(), grant.okNanos(), grant.definiteEndNanos()))
                .filter(interval -> interval.fromNanos() < interval.untilNanos());
        return find(Finding.HELD_TWICE, held.toList());
    }

    static List<Violation> believed(List<Grant> grants) {
        return find(
                Finding.BELIEVED_TWICE,
                grants.stream().flatMap(grant -> grant.believed().stream()).toList());
    }

    private static List<Violation> find(Finding finding, List<Interval> intervals) {
        List<Violation> found = new ArrayList<>();
        Interval latest = new Interval(0, 0, Long.MIN_VALUE);
        for (Interval next : sorted(intervals)) {
            if (next.fromNanos() < latest.untilNanos() && next.grant() != latest.grant()) {
                found.add(new Violation(finding, latest.grant(), next.grant(), next.fromNanos()));
            }
            latest = next.untilNanos() > latest.untilNanos() ? next : latest;
        }
        return found;
    }

    private static List<Interval> sorted(List<Interval> intervals) {
        return intervals.stream()
                .sorted(Comparator.comparingLong(Interval::fromNanos).thenComparingInt(Interval::grant))
                .toList();
    }
}
