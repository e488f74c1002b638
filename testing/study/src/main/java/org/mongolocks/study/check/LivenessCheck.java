package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;

/** Checks that waiters make progress and that the lock can be acquired again. */
final class LivenessCheck {
    private static final int PARTS = 2;
    private static final int PARTS_OF_A_LEASE = 3;

    private LivenessCheck() {}

    static List<Violation> leaks(List<Event> events) {
        List<Violation> found = new ArrayList<>();
        for (Event event : events) {
            if (event.is(Op.PROBE, Phase.FAIL)) {
                found.add(new Violation(Finding.LEAK, 0, 0, event.atNanos()));
            }
        }
        return found;
    }

    /**
     * Measures the time from the crash of a holder to the next grant of its lock; crashes without a later grant are
     * left out.
     */
    static List<Long> recoveries(List<Event> events, List<Grant> grants) {
        return events.stream()
                .filter(event -> event.is(Op.CRASH, Phase.OK))
                .filter(crash -> grants.stream().anyMatch(grant -> isHeldAt(grant, crash)))
                .flatMapToLong(
                        crash -> nextGrant(grants, crash.atNanos()).stream().map(next -> next - crash.atNanos()))
                .boxed()
                .toList();
    }

    /**
     * Measures the longest wait while the lock, or one of several, was certainly not held. A release whose reply came
     * after the next grant is left out.
     */
    static long longestHandoff(List<Event> events) {
        Map<Integer, Long> asked = new HashMap<>();
        Map<Integer, Integer> holders = new HashMap<>();
        long free = 0;
        long longest = 0;
        for (Event event : events) {
            if (event.is(Op.ACQUIRE, Phase.INVOKE)) {
                asked.put(event.grant(), event.atNanos());
            } else if (event.is(Op.RELEASE, Phase.OK)) {
                free = holders.remove(event.lock(), event.grant()) ? event.atNanos() : free;
            } else if (event.is(Op.ACQUIRE, Phase.OK)) {
                long since = Math.max(free, asked.getOrDefault(event.grant(), 0L));
                longest = holders.isEmpty() ? Math.max(longest, event.atNanos() - since) : longest;
                holders.put(event.lock(), event.grant());
            }
        }
        return longest;
    }

    private static boolean isHeldAt(Grant grant, Event crash) {
        return grant.process() == crash.process()
                && grant.okNanos() <= crash.atNanos()
                && grant.release().invokedNanos() > crash.atNanos();
    }

    private static OptionalLong nextGrant(List<Grant> grants, long afterNanos) {
        return grants.stream()
                .mapToLong(Grant::okNanos)
                .filter(ok -> ok > afterNanos)
                .min();
    }

    /**
     * Checks that acquisitions of several locks do not deadlock: while some process waits, some process works, or
     * stopped working not much longer than a lease ago, which is the cost of a crash. O(n).
     */
    static List<Violation> deadlocks(History history) {
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
