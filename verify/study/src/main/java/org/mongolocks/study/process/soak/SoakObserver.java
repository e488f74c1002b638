package org.mongolocks.study.process.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.ChildMessage.GrantToken;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.process.observer.ChildObserver;
import org.mongolocks.study.process.observer.RunFailedException;
import org.mongolocks.study.process.observer.RunObserver;
import org.mongolocks.study.sim.server.ProtectedResources;

/**
 * The observer of a long run: tells each worker which lock to acquire next, and passes the reports about each lock to
 * its history. Thread-safe.
 */
final class SoakObserver implements ChildObserver {
    private final List<SoakLock> locks;
    private final SoakResult result;
    private final Consumer<SoakLock> cut;
    private final RandomGenerator random;
    private final RunObserver run = new RunObserver(true);
    private final Map<Integer, Map<Integer, SoakLock>> used = new HashMap<>();
    private final List<Asker> waiting = new ArrayList<>();
    private boolean isOver;

    /** A worker that waits for the number of its next lock. */
    private record Asker(int child, ChildMessage.Next asked, IntConsumer answer) {}

    /**
     * Creates an observer.
     *
     * @param locks the locks, numbered from 1
     * @param result gets the counters and the violations
     * @param cut called with each lock whose history is to be checked; must not block, and must lead to {@link #isCut}
     * @param seed determines the choice of locks
     */
    SoakObserver(List<SoakLock> locks, SoakResult result, Consumer<SoakLock> cut, long seed) {
        this.locks = List.copyOf(locks);
        this.result = result;
        this.cut = cut;
        this.random = new Random(seed);
    }

    @Override
    public void record(int child, Event event) {
        if (lock(event.lock()).record(child, event)) {
            result.counts(event, lock(event.lock()).technique());
        }
    }

    @Override
    public ProtectedResources.Values read(int child, GrantToken grantToken) {
        return lock(grantToken.lock()).read(child, grantToken);
    }

    @Override
    public void write(int child, GrantToken grantToken, ProtectedResources.Values read) {
        lock(grantToken.lock()).write(child, grantToken, read);
    }

    @Override
    public synchronized void next(int child, ChildMessage.Next asked, IntConsumer answer) {
        leave(child, asked.worker());
        waiting.add(new Asker(child, asked, answer));
        serve();
    }

    /** Called when a lock has been checked and can be used again. */
    synchronized void isCut() {
        serve();
    }

    /** Gives no more locks to workers; locks are no longer checked when they are unused. */
    synchronized void ends() {
        isOver = true;
        serve();
    }

    /** Records a fault of a process in the histories of all locks. */
    void recordFault(int child, Op op, Phase phase, String what) {
        Event event = new Event(0, System.nanoTime(), child, op, phase, 0, 0, 0, 0, 0, 0, what);
        locks.forEach(lock -> lock.record(child, event));
    }

    @Override
    public void measured(int child, ChildMessage.Usage usage) {
        result.usage().add(child, usage);
    }

    @Override
    public void ended(int child, ChildMessage.Bye bye) {
        if (bye.leftThreads() > 0) {
            result.leaks("client " + child + ": " + bye.leftThreads() + " threads of closed clients are left");
        }
        result.usage().ended(child);
    }

    @Override
    public synchronized void gone(int child) {
        locks.forEach(lock -> lock.gone(child));
        waiting.removeIf(asker -> asker.child() == child);
        Map<Integer, SoakLock> uses = used.remove(child);
        if (uses != null) {
            uses.values().forEach(SoakLock::leave);
            uses.values().forEach(this::cutIfUnused);
        }
        result.usage().ended(child);
        run.changed();
    }

    @Override
    public void fail(RunFailedException e) {
        run.fail(e);
    }

    @Override
    public void changed() {
        run.changed();
    }

    @Override
    public boolean await(BooleanSupplier condition, Duration limit) throws InterruptedException {
        return run.await(condition, limit);
    }

    void requireNoFailure() {
        run.requireNoFailure();
    }

    private SoakLock lock(int number) {
        return locks.get(number - 1);
    }

    private void leave(int child, int worker) {
        Map<Integer, SoakLock> uses = used.get(child);
        SoakLock left = uses == null ? null : uses.remove(worker);
        if (left != null) {
            left.leave();
            cutIfUnused(left);
        }
    }

    private void cutIfUnused(SoakLock lock) {
        if (!isOver && lock.rests()) {
            cut.accept(lock);
        }
    }

    private void serve() {
        for (Iterator<Asker> askers = waiting.iterator(); askers.hasNext(); ) {
            Asker asker = askers.next();
            int chosen = isOver ? ParentMessage.NO_LOCK : choose(asker);
            if (chosen != 0) {
                askers.remove();
                asker.answer().accept(chosen);
            }
        }
    }

    /** Returns the number of a lock that is in use; 0 if all of them are about to be cut. */
    private int choose(Asker asker) {
        List<SoakLock> candidates = locks.stream()
                .filter(lock -> lock.technique().name().equals(asker.asked().technique()))
                .toList();
        int first = random.nextInt(candidates.size());
        for (int i = 0; i < candidates.size(); i++) {
            SoakLock lock = candidates.get((first + i) % candidates.size());
            if (lock.enter()) {
                used.computeIfAbsent(asker.child(), id -> new HashMap<>())
                        .put(asker.asked().worker(), lock);
                return lock.number();
            }
            cutIfUnused(lock);
        }
        return 0;
    }
}
