package org.mongolocks.study.sim.time;

import java.util.PriorityQueue;

/**
 * Virtual time, which jumps from one event to the next. Of two events at the same time the one created first runs
 * first.
 */
public final class VirtualTime {
    private final PriorityQueue<Due> queue = new PriorityQueue<>();
    private long nowNanos;
    private long order;
    private long passed;

    /** A future event. */
    public static final class Due implements Comparable<Due> {
        private final long atNanos;
        private final long order;
        private final Runnable task;
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
}
