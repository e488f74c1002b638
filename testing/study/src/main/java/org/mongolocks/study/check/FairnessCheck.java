package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/** Checks fair requests: waiters get the lock in the order of the queue. */
final class FairnessCheck {
    private FairnessCheck() {}

    /** A waiter in the queue that got the lock. */
    private record Served(Event queued, Event granted) {}

    /**
     * Checks fair requests: of two waiters that both got the lock, the one ahead in the queue got it first, both in the
     * server's order. O(n log n).
     */
    static List<Violation> outOfTurn(List<Event> events) {
        List<Served> served = served(events);
        List<Violation> found = new ArrayList<>();
        Event earliest = null;
        for (int i = served.size() - 1; i >= 0; i--) {
            Event granted = served.get(i).granted();
            if (earliest != null && earliest.commit() < granted.commit()) {
                found.add(new Violation(Finding.OUT_OF_TURN, earliest.grant(), granted.grant(), granted.atNanos()));
            }
            earliest = earliest == null || granted.commit() < earliest.commit() ? granted : earliest;
        }
        found.sort(Comparator.comparingLong(Violation::atNanos));
        return found;
    }

    /** Returns them in the order of the queue; a waiter whose entry was renewed keeps its position. */
    private static List<Served> served(List<Event> events) {
        Map<Integer, Event> queued = new HashMap<>();
        List<Served> served = new ArrayList<>();
        for (Event event : events) {
            if (event.op() == Op.QUEUED) {
                queued.putIfAbsent(event.grant(), event);
            } else if (event.is(Op.ACQUIRE, Phase.OK) && queued.containsKey(event.grant())) {
                served.add(new Served(queued.get(event.grant()), event));
            }
        }
        served.sort(Comparator.comparingLong(one -> one.queued().commit()));
        return served;
    }
}
