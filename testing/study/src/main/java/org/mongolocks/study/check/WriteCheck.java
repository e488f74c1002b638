package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.mongolocks.study.check.Checker.Claims;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/** Checks the writes of holders: those to the resources, and those of guarded transactions. */
final class WriteCheck {
    private WriteCheck() {}

    /**
     * Checks the writes to the resources in the order of their arrival: a write is stale if a later holder, by the
     * server's order, has used the resource before it. O(n).
     */
    static List<Violation> check(List<Event> events, Claims claims) {
        List<Violation> found = new ArrayList<>();
        Event newest = null;
        for (Event event : events) {
            boolean uses = event.phase() == Phase.OK && isUse(event.op());
            if (uses && newest != null && newest.commit() > event.commit() && isJudged(event.op(), claims)) {
                found.add(new Violation(stale(event.op()), newest.grant(), event.grant(), event.atNanos()));
            }
            newest = uses && (newest == null || newest.commit() < event.commit()) ? event : newest;
        }
        return found;
    }

    /** Each accepted write increases the value by one; a smaller value shows a lost update. */
    static List<Violation> lostUpdates(List<Event> events) {
        List<Violation> found = new ArrayList<>();
        long value = 0;
        int writer = 0;
        for (Event event : events) {
            if (event.is(Op.WRITE_UNFENCED, Phase.OK)) {
                if (event.value() != value + 1) {
                    found.add(new Violation(Finding.UPDATE_LOST, writer, event.grant(), event.atNanos()));
                }
                value = event.value();
                writer = event.grant();
            }
        }
        return found;
    }

    private static boolean isUse(Op op) {
        return op == Op.TOUCH || op == Op.WRITE_UNFENCED || isFenced(op);
    }

    private static boolean isFenced(Op op) {
        return op == Op.WRITE_FENCED || op == Op.WRITE_TOUCH_FENCED;
    }

    private static boolean isJudged(Op op, Claims claims) {
        return op == Op.WRITE_UNFENCED || (claims.hasTokens() && isFenced(op));
    }

    private static Finding stale(Op op) {
        return switch (op) {
            case WRITE_FENCED -> Finding.STALE_FENCED;
            case WRITE_TOUCH_FENCED -> Finding.STALE_TOUCH_FENCED;
            default -> Finding.STALE_UNFENCED;
        };
    }

    /**
     * Checks guarded transactions: in the server's order each commits before the next grant, and none is lost.
     * O(n log n).
     */
    static List<Violation> guarded(List<Event> events, List<Grant> grants) {
        List<Event> written = events.stream()
                .filter(event -> event.is(Op.WRITE_GUARDED, Phase.OK))
                .toList();
        if (written.isEmpty()) {
            return List.of();
        }
        List<Violation> found = new ArrayList<>(staleGuarded(written, grants));
        found.addAll(lostGuarded(written, events));
        return found;
    }

    private static List<Violation> staleGuarded(List<Event> written, List<Grant> grants) {
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
    private static List<Violation> lostGuarded(List<Event> written, List<Event> events) {
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
