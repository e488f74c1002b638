package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.study.check.Grant.Interval;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Phase;

/** The pauses of the processes of a history, in which they can neither act nor learn anything. */
final class Pauses {
    private final Map<Integer, List<Interval>> byProcess = new HashMap<>();

    /** Takes the beginning or the end of a pause. One without an end in the history lasts forever. */
    void take(Event event) {
        List<Interval> known = byProcess.computeIfAbsent(event.process(), id -> new ArrayList<>());
        if (event.phase() == Phase.INVOKE) {
            known.add(new Interval(0, event.atNanos(), Long.MAX_VALUE));
        } else if (!known.isEmpty()) {
            Interval last = known.remove(known.size() - 1);
            known.add(new Interval(0, last.fromNanos(), event.atNanos()));
        }
    }

    /** Returns a time of a grant without the pauses of its process. */
    List<Interval> without(int process, Interval whole) {
        List<Interval> result = new ArrayList<>();
        long from = whole.fromNanos();
        for (Interval pause : byProcess.getOrDefault(process, List.of())) {
            if (pause.untilNanos() > from && pause.fromNanos() < whole.untilNanos()) {
                add(result, new Interval(whole.grant(), from, pause.fromNanos()));
                from = Math.max(from, pause.untilNanos());
            }
        }
        add(result, new Interval(whole.grant(), from, whole.untilNanos()));
        return result;
    }

    private static void add(List<Interval> to, Interval one) {
        if (one.fromNanos() < one.untilNanos()) {
            to.add(one);
        }
    }
}
