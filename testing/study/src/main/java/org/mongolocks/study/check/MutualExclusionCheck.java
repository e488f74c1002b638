package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.mongolocks.study.check.Grant.Interval;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/** Checks that no two grants were held at the same time, and that a release ended its own grant only. O(n log n). */
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

    /** Sorts the intervals by their beginnings and keeps the latest end so far. */
    static List<Violation> find(Finding finding, List<Interval> intervals) {
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

    /**
     * Checks the promise of optimistic techniques: of all clients that have read the same version of the document, at
     * most one writes it. O(n).
     */
    static List<Violation> overwritten(List<Event> events) {
        List<Violation> found = new ArrayList<>();
        Map<Long, Event> writers = new HashMap<>();
        for (Event event : events) {
            Event other = event.is(Op.RELEASE, Phase.OK) ? writers.putIfAbsent(event.token(), event) : null;
            if (other != null) {
                found.add(new Violation(Finding.DOCUMENT_OVERWRITTEN, other.grant(), event.grant(), event.atNanos()));
            }
        }
        return found;
    }

    /** Checks that no other grant was certainly held when the server executed a release. */
    static List<Violation> foreignReleases(List<Grant> grants) {
        NavigableMap<Long, Grant> byCommit = byCommit(grants);
        return grants.stream()
                .filter(grant -> grant.release().commit() > 0)
                .sorted(Comparator.comparingInt(Grant::id))
                .flatMap(grant -> foreign(grant, byCommit).stream())
                .toList();
    }

    /** Checks that a force-release ended the grant in its snapshot. */
    static List<Violation> forcedReleases(List<Event> events, List<Grant> grants) {
        NavigableMap<Long, Grant> byCommit = byCommit(grants);
        return events.stream()
                .filter(event -> event.is(Op.FORCE, Phase.OK))
                .flatMap(event -> Stream.ofNullable(byCommit.lowerEntry(event.commit()))
                        .map(Map.Entry::getValue)
                        .filter(holder -> holder.id() != event.grant() && holder.definiteEndNanos() > event.atNanos())
                        .map(holder ->
                                new Violation(Finding.FOREIGN_RELEASE, event.grant(), holder.id(), event.atNanos())))
                .toList();
    }

    private static NavigableMap<Long, Grant> byCommit(List<Grant> grants) {
        NavigableMap<Long, Grant> byCommit = new TreeMap<>();
        grants.forEach(grant -> byCommit.put(grant.commit(), grant));
        return byCommit;
    }

    private static Optional<Violation> foreign(Grant releasing, NavigableMap<Long, Grant> byCommit) {
        return Optional.ofNullable(byCommit.lowerEntry(releasing.release().commit()))
                .map(Map.Entry::getValue)
                .filter(holder -> isStillHeld(holder, releasing))
                .map(holder -> new Violation(
                        Finding.FOREIGN_RELEASE,
                        releasing.id(),
                        holder.id(),
                        releasing.release().answeredNanos()));
    }

    private static boolean isStillHeld(Grant holder, Grant releasing) {
        return holder.commit() > releasing.commit()
                && holder.definiteEndNanos() > releasing.release().answeredNanos();
    }
}
