package org.mongolocks.study.process.child;

import static org.mongolocks.study.history.Event.Op.ABORT;
import static org.mongolocks.study.history.Event.Op.ACQUIRE;
import static org.mongolocks.study.history.Event.Op.LOST;
import static org.mongolocks.study.history.Event.Op.RELEASE;
import static org.mongolocks.study.history.Event.Op.RENEW;
import static org.mongolocks.study.history.Event.Phase.FAIL;
import static org.mongolocks.study.history.Event.Phase.INFO;
import static org.mongolocks.study.history.Event.Phase.INVOKE;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.util.function.Consumer;
import org.mongolocks.LockException;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.process.child.TestedLocks.Lease;
import org.mongolocks.study.process.child.TestedLocks.TestedLock;
import org.mongolocks.study.process.message.ChildMessage.GrantToken;

/** A held lock whose events are recorded. For use by one thread. */
final class RecordedLock {
    private final TestedLock lock;
    private final int number;
    private final int grant;
    private final Consumer<Event> history;
    private long knownEndNanos;

    RecordedLock(TestedLock lock, int number, int grant, Consumer<Event> history) {
        this.lock = lock;
        this.number = number;
        this.grant = grant;
        this.history = history;
    }

    /** Creates an event without a lease. */
    static Event event(int number, int grant, Op op, Phase phase, String note) {
        return new Event(0, System.nanoTime(), 0, op, phase, grant, 0, 0, 0, 0, 0, note, number);
    }

    /** Records the grant, and a loss that is noticed later. */
    void begin() {
        record(ACQUIRE, lock.lease());
        lock.onLost(reason -> record(LOST, OK, reason));
    }

    GrantToken grantToken() {
        return new GrantToken(grant, lock.token(), number);
    }

    /** Returns whether the holder may continue, and records that it aborts its work if not. */
    boolean mayContinue() {
        recordLease();
        boolean isHeld = lock.isHeld();
        if (!isHeld) {
            record(ABORT, OK, "");
        }
        return isHeld;
    }

    /** Records a longer lease, because keep-alive renews it without notification. */
    void recordLease() {
        Lease lease = lock.lease();
        if (lease.untilNanos() != knownEndNanos) {
            record(RENEW, lease);
        }
    }

    void release() {
        recordLease();
        record(RELEASE, INVOKE, "");
        try {
            Phase phase = lock.release() ? OK : FAIL;
            history.accept(
                    new Event(0, System.nanoTime(), 0, RELEASE, phase, grant, lock.token(), 0, 0, 0, 0, "", number));
        } catch (LockException e) {
            record(RELEASE, INFO, e.getClass().getSimpleName());
        }
    }

    /** Records that the lock is about to be released by the close of its client. */
    void clientCloses() {
        record(LOST, OK, "client closes");
    }

    private void record(Op op, Phase phase, String note) {
        history.accept(event(number, grant, op, phase, note));
    }

    private void record(Op op, Lease lease) {
        knownEndNanos = lease.untilNanos();
        history.accept(new Event(
                0,
                System.nanoTime(),
                0,
                op,
                OK,
                grant,
                lock.token(),
                0,
                lease.fromNanos(),
                lease.untilNanos(),
                0,
                "",
                number));
    }
}
