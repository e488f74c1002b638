package org.mongolocks.study.process.observer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;

/**
 * Merges the records of several processes into one history: in the order of their times, which are of one monotonic
 * clock, relative to the beginning of the run. Events of the same time stay in the order in which they were recorded.
 */
final class HistoryMerger {
    private final long originNanos;

    HistoryMerger(long originNanos) {
        this.originNanos = originNanos;
    }

    History history(Duration ttl, List<Event> noted) {
        List<Event> merged = new ArrayList<>();
        noted.stream()
                .sorted(Comparator.comparingLong(Event::atNanos))
                .forEach(event -> merged.add(placed(merged.size(), event)));
        return new History(ttl.toNanos(), merged);
    }

    private Event placed(int seq, Event event) {
        boolean hasLease = event.is(Op.ACQUIRE, Phase.OK) || event.is(Op.RENEW, Phase.OK);
        return new Event(
                seq,
                event.atNanos() - originNanos,
                event.process(),
                event.op(),
                event.phase(),
                event.grant(),
                event.token(),
                event.commit(),
                hasLease ? event.fromNanos() - originNanos : 0,
                hasLease ? end(event.untilNanos()) : 0,
                event.value(),
                event.note());
    }

    private long end(long untilNanos) {
        return untilNanos == Long.MAX_VALUE ? Long.MAX_VALUE : untilNanos - originNanos;
    }
}
