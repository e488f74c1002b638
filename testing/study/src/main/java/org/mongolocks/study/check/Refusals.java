package org.mongolocks.study.check;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;

/**
 * Checks that an attempt is contended only while another acquisition holds the lock, is in progress, or may have been
 * granted it: otherwise the lock is held by an owner that no client knows. Histories with several locks are not
 * checked. O(n²) in the attempts.
 */
final class Refusals {
    /** One lease, and another for a client that observes it for that long. */
    private static final int LEASES = 3;

    private final long graceNanos;
    private final Map<Integer, Asked> asked = new LinkedHashMap<>();

    private Refusals(History history) {
        this.graceNanos = LEASES * history.ttlNanos();
        history.events().forEach(this::take);
    }

    /** An acquisition, with the time in which it may have held the lock. */
    private static final class Asked {
        private final int process;
        private final long fromNanos;
        private long untilNanos = Long.MAX_VALUE;
        private boolean isRefused;
        private boolean isReleased;

        Asked(Event invoked) {
            this.process = invoked.process();
            this.fromNanos = invoked.atNanos();
        }
    }

    /** Finds the first attempt that was contended without another acquisition. */
    static List<Violation> check(History history) {
        boolean isOfOne = history.events().stream().allMatch(event -> event.lock() == 0);
        return isOfOne ? new Refusals(history).first().stream().toList() : List.of();
    }

    private void take(Event event) {
        if (event.op() == Op.CRASH) {
            asked.values().stream()
                    .filter(other -> other.process == event.process() && !other.isRefused && !other.isReleased)
                    .forEach(other -> other.untilNanos = event.atNanos() + graceNanos);
        } else if (event.is(Op.ACQUIRE, Phase.INVOKE)) {
            asked.put(event.grant(), new Asked(event));
        } else if (asked.containsKey(event.grant())) {
            take(event, asked.get(event.grant()));
        }
    }

    private void take(Event event, Asked acquisition) {
        switch (event.op()) {
            case ACQUIRE -> {
                acquisition.isRefused =
                        event.phase() == Phase.FAIL && event.note().isEmpty();
                acquisition.untilNanos = acquisition.isRefused ? event.atNanos() : event.atNanos() + graceNanos;
            }
            case RENEW -> acquisition.untilNanos = Math.max(acquisition.untilNanos, event.atNanos() + graceNanos);
            case RELEASE -> release(event, acquisition);
            default -> {}
        }
    }

    /**
     * Only a confirmed release ends the lease. A holder that has lost its lock by its own clock releases nothing, and the
     * server may have begun the lease later than the holder counts, or may still execute a renewal.
     */
    private void release(Event event, Asked acquisition) {
        acquisition.isReleased = event.phase() == Phase.OK;
        acquisition.untilNanos = event.atNanos() + (acquisition.isReleased ? 0 : graceNanos);
    }

    private Optional<Violation> first() {
        return asked.entrySet().stream()
                .filter(attempt -> attempt.getValue().isRefused)
                .filter(attempt -> asked.values().stream().noneMatch(other -> overlaps(other, attempt.getValue())))
                .map(attempt -> new Violation(
                        Finding.HELD_BY_NOBODY,
                        lastBefore(attempt.getValue()),
                        attempt.getKey(),
                        attempt.getValue().untilNanos))
                .findFirst();
    }

    /** Returns the last acquisition that may have held the lock before an attempt, to be shown with it; 0 if none. */
    private int lastBefore(Asked attempt) {
        return asked.entrySet().stream()
                .filter(other -> !other.getValue().isRefused && other.getValue().untilNanos < attempt.fromNanos)
                .max(Comparator.comparingLong(other -> other.getValue().untilNanos))
                .map(Map.Entry::getKey)
                .orElse(0);
    }

    private static boolean overlaps(Asked other, Asked attempt) {
        return other != attempt && other.fromNanos <= attempt.untilNanos && other.untilNanos >= attempt.fromNanos;
    }
}
