package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.History;

/** Splits a history of several locks into one for each; faults of a process are in each of them. O(n) for each lock. */
final class HistoryByLock {
    private HistoryByLock() {}

    static List<History> apart(History history) {
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
}
