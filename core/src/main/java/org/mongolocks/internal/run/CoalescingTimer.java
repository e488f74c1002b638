package org.mongolocks.internal.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.TreeSet;
import org.mongolocks.ClientSettings.Timer;
import org.mongolocks.TimeSource;

/**
 * A timer that reduces the wake-ups of another timer: most tasks are cancelled long before they are due, and a timer
 * thread wakes for each next task. A cancelled task leaves its wake-up in place; a spurious wake-up re-arms the timer.
 * Thread-safe.
 */
public final class CoalescingTimer implements Timer {
    /** Bounds how long a thread is occupied without a task. */
    static final Duration MAX_SLEEP = Duration.ofSeconds(10);

    private final Timer timer;
    private final TimeSource time;
    private final TreeSet<Task> tasks = new TreeSet<>();
    private Timeout wakeUp = () -> {};
    private boolean asleep;
    private long wakeAtNanos;
    private long scheduled;
    private boolean closed;

    /** Ordered by due time, then by the order of scheduling. */
    private record Task(long dueNanos, long number, Runnable work) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            int first = Long.signum(dueNanos - other.dueNanos);
            return first != 0 ? first : Long.compare(number, other.number);
        }
    }

    /**
     * Creates a timer without tasks.
     *
     * @param timer the timer that wakes it
     * @param time the time of the tasks
     */
    public CoalescingTimer(Timer timer, TimeSource time) {
        this.timer = timer;
        this.time = time;
    }

    @Override
    public synchronized Timeout schedule(Duration delay, Runnable task) {
        Task added = new Task(time.nanoTime() + delay.toNanos(), ++scheduled, task);
        tasks.add(added);
        sleepUntil(added.dueNanos());
        return () -> remove(added);
    }

    /** Drops all tasks, those that are scheduled later, and the wake-up. */
    public synchronized void close() {
        closed = true;
        tasks.clear();
        wakeUp.cancel();
    }

    private synchronized void remove(Task task) {
        tasks.remove(task);
    }

    /** A task that throws ends this wake-up; the tasks that were due with it get another one. */
    private void wake() {
        Deque<Task> due = takeDue();
        try {
            while (!due.isEmpty()) {
                due.remove().work().run();
            }
        } finally {
            addAndSleep(due);
        }
    }

    private synchronized Deque<Task> takeDue() {
        asleep = false;
        long now = time.nanoTime();
        Deque<Task> due = new ArrayDeque<>();
        while (!tasks.isEmpty() && tasks.first().dueNanos() - now <= 0) {
            due.add(tasks.pollFirst());
        }
        return due;
    }

    private synchronized void addAndSleep(Collection<Task> left) {
        tasks.addAll(left);
        if (!tasks.isEmpty()) {
            sleepUntil(tasks.first().dueNanos());
        }
    }

    /** Re-arms the timer only if its wake-up is too late. If the timer has no thread, the next task tries again. */
    private synchronized void sleepUntil(long dueNanos) {
        if (closed) {
            tasks.clear();
            return;
        }
        if (asleep && wakeAtNanos - dueNanos <= 0) {
            return;
        }
        wakeUp.cancel();
        asleep = false;
        long now = time.nanoTime();
        long sleep = Math.max(0, Math.min(dueNanos - now, MAX_SLEEP.toNanos()));
        wakeUp = timer.schedule(Duration.ofNanos(sleep), this::wake);
        wakeAtNanos = now + sleep;
        asleep = true;
    }
}
