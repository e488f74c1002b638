package org.mongolocks.internal.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mongolocks.time.TimeSource;
import org.mongolocks.time.Timer;

/**
 * Entries that wait for their deadlines, and the one wake-up for the nearest. An entry may be taken before its deadline,
 * together with another whose deadline has come. Entries with the same times have one place, in the order in which they
 * were put in. An entry that is removed leaves the wake-up in place: a spurious one costs less than a new one for each
 * entry. Thread-safe.
 */
public final class DeadlineQueue<E extends DeadlineQueue.Entry> {
    /** Most entries have times of their own. */
    private static final int INITIAL_CAPACITY = 1;

    private final TreeMap<Times, Set<E>> byEarliest = new TreeMap<>(
            (one, other) -> compare(one.earliestNanos - other.earliestNanos, one.dueNanos - other.dueNanos));
    private final TreeSet<Times> byDue = new TreeSet<>(
            (one, other) -> compare(one.dueNanos - other.dueNanos, one.earliestNanos - other.earliestNanos));
    private final Timer timer;
    private final TimeSource time;
    private final Duration maxSleep;
    private final Runnable task;
    private Timer.Timeout wakeUp = () -> {};
    private boolean isArmed;
    private long wakesAtNanos;
    private boolean closed;

    /** An entry of one queue, which guards its fields. */
    public abstract static class Entry {
        /** Its times while it is in the queue. */
        private @Nullable Times times;
    }

    private record Times(long dueNanos, long earliestNanos) {}

    /** Times may overflow, so that they are compared by their difference. */
    private static int compare(long firstDifference, long secondDifference) {
        return Long.signum(firstDifference == 0 ? secondDifference : firstDifference);
    }

    /**
     * Creates an empty queue.
     *
     * @param timer wakes it
     * @param maxSleep how long one wake-up waits at most
     * @param task runs at a deadline, or earlier; it {@linkplain #workOffDue works off} the due entries, or begins with
     *     {@link #takeDue} and ends with {@link #arm}
     */
    public DeadlineQueue(Timer timer, TimeSource time, Duration maxSleep, Runnable task) {
        this.timer = timer;
        this.time = time;
        this.maxSleep = maxSleep;
        this.task = task;
    }

    /**
     * Adds an entry, or moves it; without effect after {@link #close}.
     *
     * @param dueNanos its deadline
     * @param earliestNanos when it may be taken with others, not after the deadline
     */
    public synchronized void put(E entry, long dueNanos, long earliestNanos) {
        if (closed) {
            return;
        }
        Entry fields = entry;
        if (fields.times != null) {
            remove(entry);
        }
        Times times = new Times(dueNanos, earliestNanos);
        fields.times = times;
        Set<E> together = byEarliest.get(times);
        if (together == null) {
            together = new LinkedHashSet<>(INITIAL_CAPACITY);
            byEarliest.put(times, together);
            byDue.add(times);
        }
        together.add(entry);
        wakeNoLaterThan(dueNanos);
    }

    /** Removes an entry, if it is in the queue. */
    public synchronized void remove(E entry) {
        Entry fields = entry;
        Times times = fields.times;
        if (times == null) {
            return;
        }
        fields.times = null;
        Set<E> together = byEarliest.get(times);
        if (together != null && together.remove(entry) && together.isEmpty()) {
            byEarliest.remove(times);
            byDue.remove(times);
        }
    }

    /** Removes all entries, those that are added later too, and cancels the wake-up. */
    public synchronized void close() {
        closed = true;
        byEarliest.values().forEach(together -> together.forEach(DeadlineQueue::taken));
        byEarliest.clear();
        byDue.clear();
        isArmed = false;
        wakeUp.cancel();
    }

    /** Removes and returns the entries that may be taken now, in the order of their times. To be called when the wake-up has run. */
    public synchronized List<E> takeDue(long nowNanos) {
        isArmed = false;
        List<E> due = new ArrayList<>();
        while (!byEarliest.isEmpty() && byEarliest.firstKey().earliestNanos() - nowNanos <= 0) {
            byDue.remove(byEarliest.firstKey());
            due.addAll(byEarliest.pollFirstEntry().getValue());
        }
        due.forEach(DeadlineQueue::taken);
        return due;
    }

    /** Does the work of each entry that is due. An error ends this wake-up; those that were due with it get another one. */
    public void workOffDue(Consumer<E> work) {
        Deque<E> due = new ArrayDeque<>(takeDue(time.nanoTime()));
        try {
            while (!due.isEmpty()) {
                work.accept(due.remove());
            }
        } finally {
            long now = time.nanoTime();
            due.forEach(entry -> put(entry, now, now));
            arm();
        }
    }

    /** Wakes at the nearest deadline, if there is one. */
    public synchronized void arm() {
        if (!byDue.isEmpty()) {
            wakeNoLaterThan(byDue.first().dueNanos());
        }
    }

    private static void taken(Entry entry) {
        entry.times = null;
    }

    /** If the timer has no thread, the next entry tries again. */
    private void wakeNoLaterThan(long dueNanos) {
        if (isArmed && wakesAtNanos - dueNanos <= 0) {
            return;
        }
        wakeUp.cancel();
        isArmed = false;
        long now = time.nanoTime();
        long sleep = Math.max(0, Math.min(dueNanos - now, maxSleep.toNanos()));
        wakeUp = timer.schedule(Duration.ofNanos(sleep), task);
        wakesAtNanos = now + sleep;
        isArmed = true;
    }
}
