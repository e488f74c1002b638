package org.mongolocks.sync;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.mongolocks.LockName;

/** The work that runs under locks of one client, by thread. Thread-safe. */
final class RunningWork {
    private final Map<Thread, List<HeldLock>> running = new HashMap<>();

    synchronized void begin(List<HeldLock> locks) {
        running.computeIfAbsent(Thread.currentThread(), thread -> new ArrayList<>())
                .addAll(locks);
    }

    /** Ends the work, before its locks are released: no interrupt is registered for it any more. */
    synchronized void end(List<HeldLock> locks) {
        running.computeIfPresent(Thread.currentThread(), (thread, own) -> {
            own.removeIf(lock -> locks.stream().anyMatch(ended -> ended == lock));
            return own.isEmpty() ? null : own;
        });
        notifyAll();
    }

    /**
     * Refuses to acquire a lock in the work that it guards: the work would wait for its own end.
     *
     * @param isReentrant whether an owner asks, which may differ from the owner that entered the lock
     */
    void requireNotOwn(LockName name, boolean isReentrant) {
        boolean isOwn = own().stream()
                .filter(lock -> lock.lease().name().equals(name))
                .filter(lock -> !isReentrant || lock.isExclusive())
                .anyMatch(HeldLock::isHeld);
        if (isOwn) {
            throw new IllegalStateException("Lock '" + name
                    + "' is held by this very thread, in whose work it is requested again; to enter it again use"
                    + " reentrant()");
        }
    }

    /** Interrupts the threads of all work as soon as its lock is lost. */
    synchronized void interruptOnLoss() {
        running.forEach((thread, locks) -> locks.forEach(lock -> lock.interruptOnLoss(thread)));
    }

    /** Waits until no work runs on another thread, at most that long. */
    synchronized void awaitEnd(Duration limit) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        long left = limit.toNanos();
        while (left > 0 && running.keySet().stream().anyMatch(thread -> thread != Thread.currentThread())) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = deadlineNanos - System.nanoTime();
        }
    }

    private synchronized List<HeldLock> own() {
        return List.copyOf(running.getOrDefault(Thread.currentThread(), List.of()));
    }
}
