package org.mongolocks.study.check;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/**
 * Checks that a release ended its own grant, and a force-release the grant in its snapshot: when it was executed, no
 * other grant was certainly held. O(n log n).
 */
final class ReleaseCheck {
    private ReleaseCheck() {}

    static List<Violation> check(List<Grant> grants) {
        NavigableMap<Long, Grant> byCommit = new TreeMap<>();
        grants.forEach(grant -> byCommit.put(grant.commit(), grant));
        return grants.stream()
                .filter(grant -> grant.release().commit() > 0)
                .sorted(Comparator.comparingInt(Grant::id))
                .flatMap(grant -> foreign(grant, byCommit).stream())
                .toList();
    }

    static List<Violation> forced(List<Event> events, List<Grant> grants) {
        NavigableMap<Long, Grant> byCommit = new TreeMap<>();
        grants.forEach(grant -> byCommit.put(grant.commit(), grant));
        return events.stream()
                .filter(event -> event.is(Op.FORCE, Phase.OK))
                .flatMap(event -> Stream.ofNullable(byCommit.lowerEntry(event.commit()))
                        .map(Map.Entry::getValue)
                        .filter(holder -> holder.id() != event.grant() && holder.definiteEndNanos() > event.atNanos())
                        .map(holder ->
                                new Violation(Finding.FOREIGN_RELEASE, event.grant(), holder.id(), event.atNanos())))
                .toList();
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
