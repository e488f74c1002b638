package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/**
 * Checks the promise of optimistic techniques: of all clients that have read the same version of the document, at most
 * one writes it. O(n).
 */
final class CompareAndSetCheck {
    private CompareAndSetCheck() {}

    static List<Violation> check(List<Event> events) {
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
}
