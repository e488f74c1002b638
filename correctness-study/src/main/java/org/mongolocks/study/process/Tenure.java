package org.mongolocks.study.process;

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
import org.mongolocks.study.history.Event;
import org.mongolocks.sync.HeldLock;

/** Is a lock that is held, and tells what becomes of it. For one thread. */
final class Tenure {
    private final Notes notes;
    private final HeldLock lock;
    private final int grant;
    private final boolean heedsLease;
    private long knownEndNanos;

    private Tenure(Notes notes, HeldLock lock, int grant, boolean heedsLease) {
        this.notes = notes;
        this.lock = lock;
        this.grant = grant;
        this.heedsLease = heedsLease;
        this.knownEndNanos = lock.lease().validUntilNanos();
    }

    /**
     * Asks for the lock, and tells how that ended. The library says of every fault that nothing is held, or that nobody
     * knows; of an article's technique nobody ever knows.
     */
    static Optional<Tenure> acquire(Notes notes, Contender contender, Asking asking) throws InterruptedException {
        int grant = notes.newGrant();
        boolean isShipped = contender.heedsLeases();
        notes.note(ACQUIRE, INVOKE, grant, "");
        try {
            Optional<HeldLock> acquired = asking.ask();
            acquired.ifPresentOrElse(
                    lock -> notes.lease(ACQUIRE, grant, lock.lease(), isShipped),
                    () -> notes.note(ACQUIRE, FAIL, grant, ""));
            return acquired.map(lock -> new Tenure(notes, lock, grant, isShipped))
                    .map(Tenure::watched);
        } catch (LockException e) {
            Event.Phase phase = isShipped && !(e instanceof org.mongolocks.IndeterminateLockException) ? FAIL : INFO;
            notes.note(ACQUIRE, phase, grant, e.getClass().getSimpleName());
        } catch (InterruptedException e) {
            notes.note(ACQUIRE, isShipped ? FAIL : INFO, grant, "interrupted");
            throw e;
        }
        return Optional.empty();
    }

    /** Is how the lock is asked for. */
    @FunctionalInterface
    interface Asking {
        Optional<HeldLock> ask() throws InterruptedException;
    }

    Report.Grasp grasp() {
        return new Report.Grasp(grant, lock.fencingToken());
    }

    int grant() {
        return grant;
    }

    /** Tells whether the holder may go on; who heeds no lease always does. */
    boolean mayGoOn() {
        lookAtLease();
        return !heedsLease || lock.isHeld();
    }

    /** Notes that the lease is longer than it was, if it is: the client renews it and tells nobody. */
    void lookAtLease() {
        Lease lease = lock.lease();
        if (lease.validUntilNanos() != knownEndNanos) {
            knownEndNanos = lease.validUntilNanos();
            notes.lease(RENEW, grant, lease, heedsLease);
        }
    }

    void release() {
        lookAtLease();
        notes.note(RELEASE, INVOKE, grant, "");
        try {
            boolean freed = lock.release();
            notes.released(freed ? OK : FAIL, grant, lock.fencingToken());
        } catch (LockException e) {
            notes.note(RELEASE, INFO, grant, e.getClass().getSimpleName());
        }
    }

    private Tenure watched() {
        if (heedsLease) {
            lock.onLost((lease, reason) -> notes.note(LOST, OK, grant, reason.name()));
        }
        return this;
    }
}
