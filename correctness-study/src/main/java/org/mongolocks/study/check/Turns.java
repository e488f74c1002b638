package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/**
 * Checks who asked in order: of two who both got the lock, the one who stood in front got it first, both in the order in
 * which the server executed it. O(n log n).
 */
final class Turns {
    private Turns() {}

    /** Is one who stood in the queue and got the lock. */
    private record Served(Event queued, Event granted) {}

    static List<Violation> check(List<Event> events) {
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

    /** In the order of the queue; a place that is taken again is the same one. */
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
