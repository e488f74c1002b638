package org.mongolocks.internal.hold;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.mongolocks.ClientSettings.Timer;
import org.mongolocks.TimeSource;

/**
 * The checks of all held locks, each at the time when an expiry warning is due or the lease ends. A renewal does not
 * move a check: it finds that nothing is due, and is queued again. Leases that were renewed together end together, and
 * have one place in the queue. Thread-safe.
 */
final class ExpiryQueue {
    /** Most leases end together with others only after their first renewal. */
    private static final int FEW = 1;

    private final TreeMap<Long, Set<Check>> byTime = new TreeMap<>((one, other) -> Long.signum(one - other));
    private final TimeSource time;
    private final NearestWakeUp wakeUp;

    ExpiryQueue(Timer timer, TimeSource time) {
        this.time = time;
        this.wakeUp = new NearestWakeUp(timer, time, this::wake);
    }

    /** The check of one lock. Its fields are guarded by the monitor of the queue. */
    abstract static class Check {
        private boolean isQueued;
        private long dueNanos;

        /** Returns when the next check is due; empty when no further check is needed. */
        abstract OptionalLong nextNanos();

        /** Checks the lock; never called in the monitor of the queue. */
        abstract void run();
    }

    /** Queues a check for its next time, computed in the monitor: a concurrent call may know of a nearer one. */
    synchronized void put(Check check) {
        remove(check);
        check.nextNanos().ifPresent(due -> add(check, due));
    }

    /** Removes a check that is not needed any more: it has no next time. */
    synchronized void remove(Check check) {
        Set<Check> together = check.isQueued ? byTime.get(check.dueNanos) : null;
        check.isQueued = false;
        if (together != null && together.remove(check) && together.isEmpty()) {
            byTime.remove(check.dueNanos);
        }
    }

    /** Cancels the wake-up, once all checks have ended. */
    synchronized void close() {
        wakeUp.cancel();
    }

    private void add(Check check, long dueNanos) {
        check.isQueued = true;
        check.dueNanos = dueNanos;
        byTime.computeIfAbsent(dueNanos, first -> new LinkedHashSet<>(FEW)).add(check);
        wakeUp.noLaterThan(dueNanos);
    }

    /** A check that fails ends this wake-up; those that were due with it get another one. */
    private void wake() {
        Deque<Check> due = takeDue();
        try {
            while (!due.isEmpty()) {
                run(due.remove());
            }
        } finally {
            putAndArm(due);
        }
    }

    private void putAndArm(Deque<Check> left) {
        try {
            left.forEach(this::put);
        } finally {
            arm();
        }
    }

    private void run(Check check) {
        try {
            check.run();
        } finally {
            put(check);
        }
    }

    private synchronized Deque<Check> takeDue() {
        wakeUp.woke();
        long now = time.nanoTime();
        Deque<Check> due = new ArrayDeque<>();
        while (!byTime.isEmpty() && byTime.firstKey() - now <= 0) {
            due.addAll(byTime.pollFirstEntry().getValue());
        }
        due.forEach(check -> check.isQueued = false);
        return due;
    }

    private synchronized void arm() {
        if (!byTime.isEmpty()) {
            wakeUp.noLaterThan(byTime.firstKey());
        }
    }
}
