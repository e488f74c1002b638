package org.mongolocks.internal.hold;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The renewal schedules that wait, in two orders: by when each is due, and by when it may be renewed together with
 * another that is due. The times are those at which a schedule was put in; a renewal by the holder makes it due later.
 * Each operation takes time that grows with the logarithm of the number of schedules. Not thread-safe.
 */
final class RenewalQueue {
    private final Map<RenewalSchedule, Entry> entries = new HashMap<>();
    private final TreeSet<Entry> byDueTime =
            new TreeSet<>((one, other) -> Entry.compare(one.dueNanos - other.dueNanos, one.number - other.number));
    private final TreeSet<Entry> byEarliestTime = new TreeSet<>(
            (one, other) -> Entry.compare(one.earliestNanos - other.earliestNanos, one.number - other.number));
    private long added;

    /** The times of one schedule; entries with the same time are in the order in which they were added. */
    private record Entry(RenewalSchedule schedule, long dueNanos, long earliestNanos, long number) {
        /** Times may overflow, so that they are compared by their difference. */
        static int compare(long timeDifference, long numberDifference) {
            return Long.signum(timeDifference == 0 ? numberDifference : timeDifference);
        }
    }

    /** Adds a schedule, or moves it to its present time. */
    void put(RenewalSchedule schedule) {
        remove(schedule);
        long due = schedule.dueNanos();
        Entry entry = new Entry(schedule, due, due - schedule.earlyNanos(), ++added);
        entries.put(schedule, entry);
        byDueTime.add(entry);
        byEarliestTime.add(entry);
    }

    void remove(RenewalSchedule schedule) {
        Entry entry = entries.remove(schedule);
        if (entry != null) {
            byDueTime.remove(entry);
            byEarliestTime.remove(entry);
        }
    }

    void clear() {
        entries.clear();
        byDueTime.clear();
        byEarliestTime.clear();
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
        while (!byEarliestTime.isEmpty() && byEarliestTime.first().earliestNanos() - nowNanos <= 0) {
            RenewalSchedule next = byEarliestTime.first().schedule();
            remove(next);
            taken.add(next);
        }
        return taken;
    }
}
