package org.mongolocks.internal.hold;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The renewal schedules that wait, in two orders: by when each is due, and by when it may be renewed together with
 * another that is due. The times are those at which a schedule was put in; a renewal by the holder makes it due later.
 * Leases that were renewed together have the same times, and one place in both orders. Not thread-safe.
 */
final class RenewalQueue {
    /** Most leases are renewed together with others only from their second renewal on. */
    private static final int FEW = 1;

    private final TreeMap<Times, Set<RenewalSchedule>> byEarliestTime = new TreeMap<>(
            (one, other) -> compare(one.earliestNanos - other.earliestNanos, one.dueNanos - other.dueNanos));
    private final TreeSet<Times> byDueTime = new TreeSet<>(
            (one, other) -> compare(one.dueNanos - other.dueNanos, one.earliestNanos - other.earliestNanos));

    /** When a schedule is due, and when it may be renewed together with another. */
    private record Times(long dueNanos, long earliestNanos) {
        static Times of(RenewalSchedule schedule) {
            return new Times(schedule.queuedDueNanos, schedule.queuedEarliestNanos);
        }
    }

    /** Times may overflow, so that they are compared by their difference. */
    private static int compare(long firstDifference, long secondDifference) {
        return Long.signum(firstDifference == 0 ? secondDifference : firstDifference);
    }

    /** Adds a schedule, or moves it to its present time. */
    void put(RenewalSchedule schedule) {
        remove(schedule);
        schedule.isQueued = true;
        schedule.queuedDueNanos = schedule.dueNanos();
        schedule.queuedEarliestNanos = schedule.queuedDueNanos - schedule.earlyNanos();
        byEarliestTime
                .computeIfAbsent(Times.of(schedule), first -> {
                    byDueTime.add(first);
                    return new LinkedHashSet<>(FEW);
                })
                .add(schedule);
    }

    void remove(RenewalSchedule schedule) {
        Times times = Times.of(schedule);
        Set<RenewalSchedule> together = schedule.isQueued ? byEarliestTime.get(times) : null;
        schedule.isQueued = false;
        if (together != null) {
            together.remove(schedule);
            if (together.isEmpty()) {
                byEarliestTime.remove(times);
                byDueTime.remove(times);
            }
        }
    }

    void clear() {
        byEarliestTime.clear();
        byDueTime.clear();
    }

    /** Returns when the first one is due, or empty if there is none. */
    Optional<Long> firstDueNanos() {
        return byDueTime.isEmpty()
                ? Optional.empty()
                : Optional.of(byDueTime.first().dueNanos());
    }

    /** Removes and returns those that are due, or may be renewed together with others, in the order of their times. */
    List<RenewalSchedule> take(long nowNanos) {
        List<RenewalSchedule> taken = new ArrayList<>();
        while (!byEarliestTime.isEmpty() && byEarliestTime.firstKey().earliestNanos() - nowNanos <= 0) {
            byDueTime.remove(byEarliestTime.firstKey());
            taken.addAll(byEarliestTime.pollFirstEntry().getValue());
        }
        taken.forEach(schedule -> schedule.isQueued = false);
        return taken;
    }
}
