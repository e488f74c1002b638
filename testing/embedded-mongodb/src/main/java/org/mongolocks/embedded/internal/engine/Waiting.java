package org.mongolocks.embedded.internal.engine;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.function.Predicate;

/** The parked commands, in the order in which they came. */
public final class Waiting {
    private final List<Parked> parked = new ArrayList<>();

    /** A command and the condition that it waits for. */
    private record Parked(Call call, Park until) {
        boolean isReady(long now) {
            return until.isOver(now) || now >= call.deadline();
        }

        long due() {
            return Math.min(until.due(), call.deadline());
        }
    }

    void park(Call call, Park wait) {
        parked.add(new Parked(call, wait));
    }

    /** Moves the commands that can go on to another queue. */
    void moveReady(long now, Queue<Call> ready) {
        if (parked.isEmpty()) {
            return;
        }
        Iterator<Parked> all = parked.iterator();
        while (all.hasNext()) {
            Parked next = all.next();
            if (next.isReady(now)) {
                next.call.resumed(!next.until.isOver(now));
                ready.add(next.call);
                all.remove();
            }
        }
    }

    /** Takes out the commands that meet a condition. */
    List<Call> remove(Predicate<Call> condition) {
        List<Call> removed = new ArrayList<>();
        parked.removeIf(entry -> condition.test(entry.call) && removed.add(entry.call));
        return removed;
    }

    /** When the first of them is due at the latest. */
    long nextDue() {
        long due = Park.NEVER;
        for (Parked entry : parked) {
            due = Math.min(due, entry.due());
        }
        return due;
    }

    /** The commands themselves. */
    public List<Call> calls() {
        return parked.stream().map(Parked::call).toList();
    }
}
