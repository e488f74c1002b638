package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.List;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/**
 * Checks the writes to the resources in the order of their arrival: a write is stale if a later holder, by the server's
 * order, has used the resource before it. O(n).
 */
final class StaleWriteCheck {
    private StaleWriteCheck() {}

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
}
