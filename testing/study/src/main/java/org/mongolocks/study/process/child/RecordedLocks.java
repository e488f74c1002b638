package org.mongolocks.study.process.child;

import static org.mongolocks.study.history.Event.Phase.FAIL;
import static org.mongolocks.study.history.Event.Phase.INFO;
import static org.mongolocks.study.history.Event.Phase.INVOKE;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockException;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.process.child.TestedLocks.Lease;
import org.mongolocks.study.process.child.TestedLocks.TestedLock;
import org.mongolocks.study.process.message.ChildMessage.GrantToken;
import org.mongolocks.study.technique.Column;

/** The locks of a client, whose events are recorded. They can be closed and opened again while they are used. */
final class RecordedLocks implements AutoCloseable {
    /** Numbers the acquisitions of this process. */
    private static final AtomicInteger GRANTS = new AtomicInteger();

    private final Column technique;
    private final Opening opening;
    private final Consumer<Event> history;
    private final Set<Held> held = ConcurrentHashMap.newKeySet();
    private volatile TestedLocks locks;

    /** Opens the locks of a library under test. */
    interface Opening {
        TestedLocks open() throws InterruptedException;
    }

    /** The operation that acquires a lock. */
    interface Acquisition {
        Optional<TestedLock> run() throws InterruptedException;
    }

    /** Opens the locks; each event is passed to a consumer before the next. */
    RecordedLocks(Column technique, Opening opening, Consumer<Event> history) throws InterruptedException {
        this.technique = technique;
        this.opening = opening;
        this.history = history;
        this.locks = opening.open();
    }

    Column technique() {
        return technique;
    }

    TestedLocks locks() {
        return locks;
    }

    /**
     * Acquires a lock, and records the outcome. For the library's strategies each fault says whether the outcome is
     * "not held" or indeterminate; for an article's technique it is always indeterminate.
     *
     * @param number the number of the lock
     */
    Optional<Held> acquire(int number, Acquisition acquisition) throws InterruptedException {
        boolean isShipped = technique.config().isShipped();
        int grant = GRANTS.incrementAndGet();
        record(number, grant, Op.ACQUIRE, INVOKE, "");
        try {
            Optional<Held> acquired = acquisition.run().map(lock -> new Held(lock, number, grant));
            acquired.ifPresentOrElse(Held::begin, () -> record(number, grant, Op.ACQUIRE, FAIL, ""));
            return acquired;
        } catch (LockException e) {
            Phase phase = isShipped && !(e instanceof IndeterminateOutcomeException) ? FAIL : INFO;
            record(number, grant, Op.ACQUIRE, phase, e.getClass().getSimpleName());
            return Optional.empty();
        } catch (InterruptedException e) {
            record(number, grant, Op.ACQUIRE, isShipped ? FAIL : INFO, "interrupted");
            throw e;
        }
    }

    /** Records an event of a lock, of one of its grants if the number of the grant is not 0. */
    void record(int number, int grant, Op op, Phase phase, String note) {
        history.accept(new Event(0, System.nanoTime(), 0, op, phase, grant, 0, 0, 0, 0, 0, note, number));
    }

    /**
     * Closes the client of the library while other threads use it, and opens another. Its locks end before, because
     * closing releases them on the server.
     */
    synchronized void reopen() throws InterruptedException {
        held.forEach(lock -> lock.record(Op.LOST, OK, "client closes"));
        locks.close();
        locks = opening.open();
    }

    @Override
    public void close() {
        locks.close();
    }

    /** A held lock. For use by one thread. */
    final class Held {
        private final TestedLock lock;
        private final int number;
        private final int grant;
        private long knownEndNanos;

        private Held(TestedLock lock, int number, int grant) {
            this.lock = lock;
            this.number = number;
            this.grant = grant;
        }

        private void begin() {
            recordLease(Op.ACQUIRE);
            lock.onLost(reason -> record(Op.LOST, OK, reason));
            held.add(this);
        }

        GrantToken grantToken() {
            return new GrantToken(grant, lock.token(), number);
        }

        /** Returns whether the holder may continue, and records that it aborts its work if not. */
        boolean mayContinue() {
            boolean isHeld = lock.isHeld();
            recordRenewal();
            if (!isHeld) {
                record(Op.ABORT, OK, "");
            }
            return isHeld;
        }

        /** Called between two steps of the work. */
        void look() {
            lock.look();
            recordRenewal();
        }

        /** Records a longer lease, because keep-alive renews it without notification. */
        private void recordRenewal() {
            if (lock.lease().untilNanos() != knownEndNanos) {
                recordLease(Op.RENEW);
            }
        }

        void release() {
            recordRenewal();
            record(Op.RELEASE, INVOKE, "");
            try {
                Phase phase = lock.release() ? OK : FAIL;
                record(Op.RELEASE, phase, new Lease(0, 0));
            } catch (LockException e) {
                record(Op.RELEASE, INFO, e.getClass().getSimpleName());
            } finally {
                held.remove(this);
            }
        }

        private void recordLease(Op op) {
            Lease lease = lock.lease();
            knownEndNanos = lease.untilNanos();
            record(op, OK, lease);
        }

        private void record(Op op, Phase phase, String note) {
            RecordedLocks.this.record(number, grant, op, phase, note);
        }

        private void record(Op op, Phase phase, Lease lease) {
            long from = lease.fromNanos();
            long until = lease.untilNanos();
            history.accept(
                    new Event(0, System.nanoTime(), 0, op, phase, grant, lock.token(), 0, from, until, 0, "", number));
        }
    }
}
