package org.mongolocks.internal.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeSet;
import org.mongolocks.time.TimeSource;
import org.mongolocks.time.Timer;

/**
 * The deadlines of one client, and the one wake-up for the nearest. An entry may be taken before its deadline, together
 * with another such entry whose deadline has come. Most entries are removed long before they are due: they leave the
 * wake-up in place, because a spurious one costs less than a new one for each entry. Thread-safe.
 */
public final class DeadlineQueue implements Timer {
    /** Bounds how long a thread is occupied without a task. */
    static final Duration MAX_SLEEP = Duration.ofSeconds(10);

    private final Timer timer;
    private final TimeSource time;
    private final TreeSet<Entry> byDue =
            new TreeSet<>((one, other) -> compare(one.dueNanos - other.dueNanos, one.number - other.number));
    /** Those that may be taken early. */
    private final TreeSet<Entry> byEarliest =
            new TreeSet<>((one, other) -> compare(one.earliestNanos - other.earliestNanos, one.number - other.number));

    private Runnable afterwards = () -> {};
    private Timeout wakeUp = () -> {};
    private Phase phase = Phase.IDLE;
    private long wakesAtNanos;
    private long lastNumber;

    private enum Phase {
        /** No wake-up is scheduled. */
        IDLE,
        ARMED,
        /** Due entries are worked off; the next wake-up is scheduled at the end. */
        AWAKE,
        CLOSED
    }

    /** An entry of one queue, which guards its fields. */
    public abstract static class Entry {
        private long dueNanos;
        private long earliestNanos;
        /** Entries with the same time are worked off in the order in which they were put in. */
        private long number;

        private boolean isPut;

        /** Does the work when the entry is due, or taken earlier; the entry is not in the queue any more. */
        protected abstract void onDue();
    }

    private static final class Task extends Entry {
        private final Runnable work;
        private volatile boolean isCancelled;

        Task(Runnable work) {
            this.work = work;
        }

        @Override
        protected void onDue() {
            if (!isCancelled) {
                work.run();
            }
        }
    }

    /** Creates an empty queue, which a timer wakes. */
    public DeadlineQueue(Timer timer, TimeSource time) {
        this.timer = timer;
        this.time = time;
    }

    /** Times may overflow, so that they are compared by their difference. */
    private static int compare(long firstDifference, long secondDifference) {
        return Long.signum(firstDifference == 0 ? secondDifference : firstDifference);
    }

    /** Sets what is done after the work of the entries that were due together. To be called before the first entry. */
    public void afterwards(Runnable task) {
        afterwards = task;
    }

    @Override
    public Timeout schedule(Duration delay, Runnable task) {
        Task added = new Task(task);
        long due = time.nanoTime() + delay.toNanos();
        put(added, due);
        return () -> {
            added.isCancelled = true;
            boolean unused = remove(added);
        };
    }

    /** Adds an entry, or moves it; without effect after {@link #close}. */
    public synchronized void put(Entry entry, long dueNanos) {
        if (phase != Phase.CLOSED) {
            boolean unused = remove(entry);
            entry.isPut = true;
            entry.dueNanos = dueNanos;
            entry.number = ++lastNumber;
            byDue.add(entry);
            arm();
        }
    }

    /**
     * Adds an entry that may be taken early, or moves it.
     *
     * @param dueNanos its deadline
     * @param earliestNanos when it may be taken with another such entry, not after the deadline
     */
    public synchronized void put(Entry entry, long dueNanos, long earliestNanos) {
        put(entry, dueNanos);
        if (phase != Phase.CLOSED) {
            entry.earliestNanos = earliestNanos;
            byEarliest.add(entry);
        }
    }

    /** Adds an entry, or moves it to that time if it has a later deadline. */
    public synchronized void putNoLaterThan(Entry entry, long dueNanos) {
        if (entry.dueNanos - dueNanos > 0 || !byDue.contains(entry)) {
            put(entry, dueNanos);
        } else if (phase == Phase.IDLE) {
            arm();
        }
    }

    /** Returns whether an entry was put in and not removed since; it may have been due. */
    public synchronized boolean contains(Entry entry) {
        return entry.isPut;
    }

    /** Removes an entry; returns whether it was put in and not removed since. */
    public synchronized boolean remove(Entry entry) {
        boolean wasPut = entry.isPut;
        if (wasPut) {
            entry.isPut = false;
            byDue.remove(entry);
            byEarliest.remove(entry);
        }
        return wasPut;
    }

    /** Cancels a wake-up that is earlier than the nearest deadline, after many entries were removed. */
    public synchronized void rearm() {
        if (phase == Phase.ARMED) {
            wakeUp.cancel();
            phase = Phase.IDLE;
            arm();
        }
    }

    /** Drops all entries, those that are added later, and the wake-up. */
    public synchronized void close() {
        phase = Phase.CLOSED;
        byDue.clear();
        byEarliest.clear();
        wakeUp.cancel();
    }

    /** An error ends this wake-up; the entries that were due with it get another one. */
    private void wake() {
        Deque<Entry> due = takeDue();
        try {
            while (!due.isEmpty()) {
                due.remove().onDue();
            }
        } finally {
            try {
                afterwards.run();
            } finally {
                sleep(due);
            }
        }
    }

    private synchronized Deque<Entry> takeDue() {
        phase = phase == Phase.CLOSED ? Phase.CLOSED : Phase.AWAKE;
        long now = time.nanoTime();
        Deque<Entry> due = new ArrayDeque<>();
        boolean isAnyEarly = false;
        while (!byDue.isEmpty() && byDue.first().dueNanos - now <= 0) {
            Entry next = byDue.pollFirst();
            isAnyEarly |= byEarliest.remove(next);
            due.add(next);
        }
        while (isAnyEarly && !byEarliest.isEmpty() && byEarliest.first().earliestNanos - now <= 0) {
            Entry next = byEarliest.pollFirst();
            byDue.remove(next);
            due.add(next);
        }
        return due;
    }

    private synchronized void sleep(Deque<Entry> left) {
        phase = phase == Phase.AWAKE ? Phase.IDLE : phase;
        long now = time.nanoTime();
        left.forEach(entry -> put(entry, now));
        arm();
    }

    /** Wakes at the nearest deadline, if there is one. If the timer has no thread, the next entry tries again. */
    private void arm() {
        if (byDue.isEmpty() || phase == Phase.AWAKE || phase == Phase.CLOSED) {
            return;
        }
        long dueNanos = byDue.first().dueNanos;
        if (phase == Phase.ARMED && wakesAtNanos - dueNanos <= 0) {
            return;
        }
        wakeUp.cancel();
        phase = Phase.IDLE;
        long now = time.nanoTime();
        long sleep = Math.max(0, Math.min(dueNanos - now, MAX_SLEEP.toNanos()));
        wakeUp = timer.schedule(Duration.ofNanos(sleep), this::wake);
        wakesAtNanos = now + sleep;
        phase = Phase.ARMED;
    }
}
