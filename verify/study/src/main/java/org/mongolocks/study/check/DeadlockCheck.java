package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;

/**
 * Checks that acquisitions of several locks do not deadlock: while some process waits, some process works, or stopped
 * working not much longer than a lease ago, which is the cost of a crash. O(n).
 */
final class DeadlockCheck {
    private static final int PARTS = 2;
    private static final int PARTS_OF_A_LEASE = 3;

    private DeadlockCheck() {}

    static List<Violation> check(History history) {
        long most = history.ttlNanos() / PARTS * PARTS_OF_A_LEASE;
        Map<Integer, Long> asked = new HashMap<>();
        List<Violation> found = new ArrayList<>();
        long worked = 0;
        for (Event event : history.events()) {
            if (event.op() == Op.TOUCH) {
                worked = event.atNanos();
            } else if (event.is(Op.ACQUIRE, Phase.INVOKE) && event.lock() != 0) {
                asked.put(event.grant(), event.atNanos());
            } else if (event.op() == Op.ACQUIRE && asked.containsKey(event.grant())) {
                long since = Math.max(worked, asked.remove(event.grant()));
                if (event.atNanos() - since > most) {
                    found.add(new Violation(Finding.STUCK, 0, event.grant(), event.atNanos()));
                }
            }
        }
        return found;
    }
}
