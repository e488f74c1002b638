package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;

/** Measures the time from a release to the next grant while clients wait. O(n log n). */
final class Handovers {
    /** With fewer hand-overs the median says nothing. */
    private static final int FEWEST = 5;

    private final Set<Integer> waiting = new HashSet<>();
    private final List<Handover> all = new ArrayList<>();
    private long freeNanos = Long.MAX_VALUE;

    private Handovers(List<Event> events) {
        events.forEach(this::take);
    }

    /** A grant, with the time since the release before it. */
    private record Handover(int grant, long atNanos, long tookNanos) {}

    static List<Violation> check(History history) {
        List<Handover> sorted = new Handovers(history.events())
                .all.stream()
                        .sorted(Comparator.comparingLong(Handover::tookNanos))
                        .toList();
        if (sorted.size() < FEWEST || sorted.get(sorted.size() / 2).tookNanos() <= history.handoverNanos()) {
            return List.of();
        }
        Handover longest = sorted.get(sorted.size() - 1);
        return List.of(new Violation(Finding.SLOW_HANDOVER, 0, longest.grant(), longest.atNanos()));
    }

    private void take(Event event) {
        if (event.op() == Op.ACQUIRE) {
            acquire(event);
        } else if (event.is(Op.RELEASE, Phase.OK)) {
            freeNanos = waiting.isEmpty() ? Long.MAX_VALUE : event.atNanos();
        }
    }

    private void acquire(Event event) {
        if (event.phase() == Phase.INVOKE) {
            waiting.add(event.grant());
        } else {
            waiting.remove(event.grant());
        }
        if (event.phase() == Phase.OK && freeNanos != Long.MAX_VALUE) {
            all.add(new Handover(event.grant(), event.atNanos(), event.atNanos() - freeNanos));
            freeNanos = Long.MAX_VALUE;
        }
    }
}
