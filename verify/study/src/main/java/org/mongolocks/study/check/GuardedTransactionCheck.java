package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/**
 * Checks guarded transactions: in the server's order each commits before the next grant, and none is lost. O(n log n).
 */
final class GuardedTransactionCheck {
    private GuardedTransactionCheck() {}

    static List<Violation> check(List<Event> events, List<Grant> grants) {
        List<Event> written = events.stream()
                .filter(event -> event.is(Op.WRITE_GUARDED, Phase.OK))
                .toList();
        if (written.isEmpty()) {
            return List.of();
        }
        List<Violation> found = new ArrayList<>(stale(written, grants));
        found.addAll(lost(written, events));
        return found;
    }

    private static List<Violation> stale(List<Event> written, List<Grant> grants) {
        TreeMap<Long, Integer> byCommit = new TreeMap<>();
        grants.forEach(grant -> byCommit.put(grant.commit(), grant.id()));
        List<Violation> found = new ArrayList<>();
        for (Event event : written) {
            Map.Entry<Long, Integer> newest = byCommit.lowerEntry(event.commit());
            if (newest != null && newest.getValue() != event.grant()) {
                found.add(new Violation(Finding.STALE_GUARDED, newest.getValue(), event.grant(), event.atNanos()));
            }
        }
        return found;
    }

    /** Each write increases the counter by one: no two writes have the same count, and none exceeds the final count. */
    private static List<Violation> lost(List<Event> written, List<Event> events) {
        long last = events.stream()
                .filter(event -> event.is(Op.TALLY, Phase.OK))
                .mapToLong(Event::value)
                .min()
                .orElse(Long.MAX_VALUE);
        List<Violation> found = new ArrayList<>();
        Set<Long> counts = new HashSet<>();
        for (Event event : sorted(written)) {
            if (!counts.add(event.value()) || event.value() > last) {
                found.add(new Violation(Finding.GUARDED_LOST, 0, event.grant(), event.atNanos()));
            }
        }
        return found;
    }

    private static List<Event> sorted(List<Event> events) {
        return events.stream().sorted(Comparator.comparingLong(Event::seq)).toList();
    }
}
