package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/**
 * Checks reentrant acquisitions: each has the token of the grant that its owner holds and no other owner has, none is
 * released twice, and the lock is released with the last one and not before. O(n).
 */
final class ReentrancyCheck {
    private final Map<Integer, Grant> grants = new HashMap<>();
    private final Map<Name, Grant> current = new HashMap<>();
    private final List<Violation> found = new ArrayList<>();

    private ReentrancyCheck() {}

    /** An owner within its process. */
    private record Name(int process, long owner) {}

    /** The known state of a grant that is held reentrantly. */
    private static final class Grant {
        private final int id;
        private final long token;
        private long owner;
        private int count;
        private boolean entered;
        private boolean over;

        Grant(Event granted) {
            this.id = granted.grant();
            this.token = granted.token();
        }

        boolean isIn() {
            return !over && (count > 0 || !entered);
        }
    }

    static List<Violation> check(List<Event> events) {
        if (events.stream().noneMatch(event -> event.op() == Op.ENTER)) {
            return List.of();
        }
        ReentrancyCheck entries = new ReentrancyCheck();
        events.forEach(entries::take);
        entries.end(events.get(events.size() - 1));
        return entries.found;
    }

    private void take(Event event) {
        if (event.is(Op.ACQUIRE, Phase.OK)) {
            grants.put(event.grant(), new Grant(event));
            return;
        }
        Grant grant = grants.get(event.grant());
        if (grant != null) {
            take(event, grant);
        }
    }

    private void take(Event event, Grant grant) {
        switch (event.op()) {
            case ENTER -> enter(event, grant);
            case LEAVE -> leave(event, grant);
            case LOST -> grant.over = true;
            case RELEASE -> release(event, grant);
            default -> {}
        }
    }

    private void enter(Event event, Grant grant) {
        Grant before = current.put(new Name(event.process(), event.value()), grant);
        boolean isOther = before != null && before != grant && before.isIn();
        boolean isShared = grant.entered && grant.owner != event.value();
        if (isOther || isShared || !grant.isIn() || event.token() != grant.token) {
            flag(event, before == null ? 0 : before.id);
        }
        grant.owner = grant.entered ? grant.owner : event.value();
        grant.entered = true;
        grant.count++;
    }

    private void leave(Event event, Grant grant) {
        if (grant.count == 0) {
            flag(event, grant.id);
        } else {
            grant.count--;
        }
    }

    private void release(Event event, Grant grant) {
        if (event.phase() == Phase.INVOKE) {
            if (grant.entered && grant.count > 0) {
                flag(event, grant.id);
            }
            grant.over = true;
        }
    }

    /**
     * Records a violation if the last acquisition was released without releasing the lock, and the lock was not lost:
     * it stays held.
     */
    private void end(Event last) {
        grants.values().stream()
                .filter(grant -> grant.entered && grant.count == 0 && !grant.over)
                .forEach(grant -> flag(last, grant.id));
    }

    private void flag(Event event, int other) {
        found.add(new Violation(Finding.MISCOUNTED, other, event.grant(), event.atNanos()));
    }
}
