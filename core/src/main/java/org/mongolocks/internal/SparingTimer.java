package org.mongolocks.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.TreeSet;
import org.mongolocks.TimeSource;
import org.mongolocks.Timer;

/**
 * Lets another timer sleep where it can: most tasks are called off long before they are due, and a timer that is a thread
 * wakes for each one that is the next. A task that is called off leaves the sleep as it is; who wakes in vain sleeps on.
 * Thread-safe.
 */
public final class SparingTimer implements Timer {
    /** So long a thread may be kept for nothing. */
    static final Duration LONGEST_SLEEP = Duration.ofSeconds(10);

    private final Timer timer;
    private final TimeSource time;
    private final TreeSet<Task> tasks = new TreeSet<>();
    private Timeout wakeUp = () -> {};
    private boolean asleep;
    private long wakeAtNanos;
    private long scheduled;

    /** Is next before all that are due later, and before all that were scheduled later. */
    private record Task(long dueNanos, long number, Runnable work) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            int first = Long.signum(dueNanos - other.dueNanos);
            return first != 0 ? first : Long.compare(number, other.number);
        }
    }

    /**
     * Makes a timer with nothing to do.
     *
     * @param timer what sleeps
     * @param time the time that it goes by
     */
    public SparingTimer(Timer timer, TimeSource time) {
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

    private synchronized void remove(Task task) {
        tasks.remove(task);
    }

    /** A task that throws ends this waking; what was due with it wakes anew. */
    private void wake() {
        Deque<Task> due = takeDue();
        try {
            while (!due.isEmpty()) {
                due.remove().work().run();
            }
        } finally {
            sleepOn(due);
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

    private synchronized void sleepOn(Collection<Task> left) {
        tasks.addAll(left);
        if (!tasks.isEmpty()) {
            sleepUntil(tasks.first().dueNanos());
        }
    }

    /** Moves the end of the sleep only if it is too late. When there is no thread to sleep on, the next task tries again. */
    private synchronized void sleepUntil(long dueNanos) {
        if (asleep && wakeAtNanos - dueNanos <= 0) {
            return;
        }
        wakeUp.cancel();
        asleep = false;
        long now = time.nanoTime();
        long sleep = Math.max(0, Math.min(dueNanos - now, LONGEST_SLEEP.toNanos()));
        wakeUp = timer.schedule(Duration.ofNanos(sleep), this::wake);
        wakeAtNanos = now + sleep;
        asleep = true;
    }
}
