package org.mongolocks.study.sim.time;

import java.time.Instant;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Virtual time, which jumps from one event to the next. Of two events at the same time the one created first runs
 * first.
 */
public final class VirtualTime {
    /** The start time of all correct clocks. */
    public static final Instant EPOCH = Instant.parse("2026-01-02T03:04:05.678Z");

    private final PriorityQueue<Due> queue = new PriorityQueue<>();
    private long nowNanos;
    private long order;
    private long passed;

    /** A future event. */
    public static final class Due implements Comparable<Due> {
        private final Runnable task;
        private long atNanos;
        private long order;
        private boolean cancelled;

        private Due(long atNanos, long order, Runnable task) {
            this.atNanos = atNanos;
            this.order = order;
            this.task = task;
        }

        public void cancel() {
            cancelled = true;
        }

        @Override
        public int compareTo(Due other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    public long nowNanos() {
        return nowNanos;
    }

    /** Returns how many events have run. */
    public long passed() {
        return passed;
    }

    public Due after(long nanos, Runnable task) {
        return at(nowNanos + nanos, task);
    }

    public Due at(long atNanos, Runnable task) {
        Due due = new Due(Math.max(atNanos, nowNanos), order++, task);
        queue.add(due);
        return due;
    }

    /** Runs an event, which runs now, once more after a time; it can still be cancelled. */
    public void again(Due due, long nanos) {
        due.atNanos = nowNanos + nanos;
        due.order = order++;
        queue.add(due);
    }

    /** Runs all events until a time, inclusive. */
    public void runUntil(long endNanos) {
        while (!queue.isEmpty() && queue.element().atNanos <= endNanos) {
            Due due = queue.remove();
            if (!due.cancelled) {
                nowNanos = due.atNanos;
                passed++;
                due.task.run();
            }
        }
        nowNanos = endNanos;
    }

    /** A task that runs the first time only. */
    public static final class RunOnce implements Runnable {
        private Optional<Runnable> task;

        public RunOnce(Runnable task) {
            this.task = Optional.of(task);
        }

        @Override
        public void run() {
            Optional<Runnable> first = task;
            task = Optional.empty();
            first.ifPresent(Runnable::run);
        }
    }
}
