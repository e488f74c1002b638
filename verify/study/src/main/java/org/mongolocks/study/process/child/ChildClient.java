package org.mongolocks.study.process.child;

import static org.mongolocks.study.history.Event.Op.ACQUIRE;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockException;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.process.child.TestedLocks.TestedLock;
import org.mongolocks.study.technique.Technique;

/** A client of a technique, which records what happens to its locks. It can be closed and opened again while it is used. */
final class ChildClient implements AutoCloseable {
    /** Numbers the acquisitions of this process. */
    private static final AtomicInteger GRANTS = new AtomicInteger();

    private final Technique technique;
    private final Opening opening;
    private final Consumer<Event> history;
    private final Set<RecordedLock> held = ConcurrentHashMap.newKeySet();
    private volatile TestedLocks locks;

    /** Opens the locks of a library under test. */
    @FunctionalInterface
    interface Opening {
        TestedLocks open() throws InterruptedException;
    }

    /** Opens the locks; each event is passed to a consumer before the next. */
    ChildClient(Technique technique, Opening opening, Consumer<Event> history) throws InterruptedException {
        this.technique = technique;
        this.opening = opening;
        this.history = history;
        this.locks = opening.open();
    }

    Technique technique() {
        return technique;
    }

    TestedLocks locks() {
        return locks;
    }

    /** The operation that acquires a lock. */
    @FunctionalInterface
    interface Acquisition {
        Optional<TestedLock> run() throws InterruptedException;
    }

    /**
     * Acquires a lock, and records the outcome. For the library's strategies each fault says whether the outcome is
     * "not held" or indeterminate; for an article's technique it is always indeterminate.
     *
     * @param number the number of the lock
     */
    Optional<RecordedLock> acquire(int number, Acquisition acquisition) throws InterruptedException {
        boolean isShipped = technique.config().isShipped();
        int grant = GRANTS.incrementAndGet();
        Consumer<Event> history = this.history;
        history.accept(RecordedLock.event(number, grant, ACQUIRE, Phase.INVOKE, ""));
        try {
            Optional<RecordedLock> acquired =
                    acquisition.run().map(lock -> new RecordedLock(lock, number, grant, history));
            acquired.ifPresentOrElse(
                    this::holds, () -> history.accept(RecordedLock.event(number, grant, ACQUIRE, Phase.FAIL, "")));
            return acquired;
        } catch (LockException e) {
            Phase phase = isShipped && !(e instanceof IndeterminateOutcomeException) ? Phase.FAIL : Phase.INFO;
            history.accept(RecordedLock.event(
                    number, grant, ACQUIRE, phase, e.getClass().getSimpleName()));
            return Optional.empty();
        } catch (InterruptedException e) {
            Phase phase = isShipped ? Phase.FAIL : Phase.INFO;
            history.accept(RecordedLock.event(number, grant, ACQUIRE, phase, "interrupted"));
            throw e;
        }
    }

    private void holds(RecordedLock lock) {
        lock.begin();
        held.add(lock);
    }

    void release(RecordedLock lock) {
        try {
            lock.release();
        } finally {
            held.remove(lock);
        }
    }

    /**
     * Closes the client of the library while other threads use it, and opens another. Its locks end before, because
     * closing releases them on the server.
     */
    synchronized void reopen() throws InterruptedException {
        held.forEach(RecordedLock::clientCloses);
        locks.close();
        locks = opening.open();
    }

    @Override
    public void close() {
        locks.close();
    }
}
