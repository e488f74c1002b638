package org.mongolocks.study.process.child;

import static org.mongolocks.study.history.Event.Op.ACQUIRE;
import static org.mongolocks.study.history.Event.Op.LOST;
import static org.mongolocks.study.history.Event.Op.RELEASE;
import static org.mongolocks.study.history.Event.Op.RENEW;
import static org.mongolocks.study.history.Event.Phase.FAIL;
import static org.mongolocks.study.history.Event.Phase.INFO;
import static org.mongolocks.study.history.Event.Phase.INVOKE;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.util.Optional;
import org.mongolocks.Lease;
import org.mongolocks.LockException;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.process.message.ChildMessage;

/** A held lock whose events are recorded. For use by one thread. */
final class HeldLockMonitor {
    private final ChildHistory notes;
    private final BlockingLock lock;
    private final int grant;
    private final ChildClient contender;
    private final boolean heedsLease;
    private long knownEndNanos;

    private HeldLockMonitor(ChildHistory notes, BlockingLock lock, int grant, ChildClient contender) {
        this.notes = notes;
        this.lock = lock;
        this.grant = grant;
        this.contender = contender;
        this.heedsLease = contender.heedsLeases();
        this.knownEndNanos = lock.lease().validUntilNanos();
    }

    /**
     * Acquires the lock, and records the outcome. For the library's strategies each fault says whether the outcome is
     * "not held" or indeterminate; for an article's technique it is always indeterminate.
     */
    static Optional<HeldLockMonitor> acquire(ChildHistory notes, ChildClient contender, Asking asking)
            throws InterruptedException {
        int grant = notes.newGrant();
        boolean isShipped = contender.heedsLeases();
        notes.note(ACQUIRE, INVOKE, grant, "");
        try {
            Optional<BlockingLock> acquired = asking.ask();
            acquired.ifPresentOrElse(
                    lock -> notes.lease(ACQUIRE, grant, lock.lease(), isShipped),
                    () -> notes.note(ACQUIRE, FAIL, grant, ""));
            return acquired.map(lock -> new HeldLockMonitor(notes, lock, grant, contender))
                    .map(HeldLockMonitor::watched);
        } catch (LockException e) {
            Event.Phase phase = isShipped && !(e instanceof org.mongolocks.IndeterminateOutcomeException) ? FAIL : INFO;
            notes.note(ACQUIRE, phase, grant, e.getClass().getSimpleName());
        } catch (InterruptedException e) {
            notes.note(ACQUIRE, isShipped ? FAIL : INFO, grant, "interrupted");
            throw e;
        }
        return Optional.empty();
    }

    /** The operation that acquires the lock. */
    @FunctionalInterface
    interface Asking {
        Optional<BlockingLock> ask() throws InterruptedException;
    }

    ChildMessage.GrantToken grantToken() {
        return new ChildMessage.GrantToken(grant, lock.lease().fencingToken(), notes.lock());
    }

    /** Records that the holder aborts its work. */
    void aborts() {
        notes.note(Event.Op.ABORT, OK, grant, "");
    }

    /** Returns whether the holder may continue; always true for a technique that ignores the end of a lease. */
    boolean mayContinue() {
        recordLease();
        return !heedsLease || lock.isHeld();
    }

    /** Records a longer lease, because keep-alive renews it without notification. */
    void recordLease() {
        Lease lease = lock.lease();
        if (lease.validUntilNanos() != knownEndNanos) {
            knownEndNanos = lease.validUntilNanos();
            notes.lease(RENEW, grant, lease, heedsLease);
        }
    }

    void release() {
        recordLease();
        notes.note(RELEASE, INVOKE, grant, "");
        try {
            boolean freed = lock.release();
            notes.released(freed ? OK : FAIL, grant, lock.lease().fencingToken());
        } catch (LockException e) {
            notes.note(RELEASE, INFO, grant, e.getClass().getSimpleName());
        } finally {
            contender.released(this);
        }
    }

    /** Records that the lock is about to be released by the close of its client. */
    void clientCloses() {
        notes.note(LOST, OK, grant, "client closes");
    }

    private HeldLockMonitor watched() {
        if (heedsLease) {
            lock.onLost((lease, reason) -> notes.note(LOST, OK, grant, reason.name()));
        }
        contender.holds(this);
        return this;
    }
}
