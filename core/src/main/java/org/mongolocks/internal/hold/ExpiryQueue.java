package org.mongolocks.internal.hold;

import java.util.List;
import org.mongolocks.ClientSettings.Timer;
import org.mongolocks.LockRequest;
import org.mongolocks.TimeSource;
import org.mongolocks.internal.run.DeadlineQueue;

/**
 * The checks of all held locks, each at the time when an expiry warning is due or the lease ends. Most
 * renewals do not move a check: it finds that nothing is due, and is queued again. Thread-safe.
 */
final class ExpiryQueue {
    private final TimeSource time;
    private final DeadlineQueue<Hold> holds;

    ExpiryQueue(Timer timer, TimeSource time) {
        this.time = time;
        this.holds = new DeadlineQueue<>(timer, time, LockRequest.MAX_TTL, this::wake);
    }

    /** Queues a lock for its next check, whose time is computed in the monitor: a concurrent call may know of a nearer one. */
    synchronized void put(Hold hold) {
        if (hold.isOver()) {
            holds.remove(hold);
        } else {
            long due = hold.nextCheckNanos();
            holds.put(hold, due, due);
        }
    }

    synchronized void remove(Hold hold) {
        holds.remove(hold);
    }

    /** Cancels the wake-up, once all locks have ended. */
    synchronized void close() {
        holds.clear();
    }

    private synchronized List<Hold> takeDue() {
        return holds.takeDue(time.nanoTime());
    }

    /** A check that fails ends this wake-up; those that were due with it get another one. */
    private void wake() {
        List<Hold> due = takeDue();
        int checked = 0;
        try {
            while (checked < due.size()) {
                due.get(checked++).checkExpiry();
            }
        } finally {
            putAndArm(due);
        }
    }

    private synchronized void putAndArm(List<Hold> all) {
        try {
            all.forEach(this::put);
        } finally {
            holds.arm();
        }
    }
}
