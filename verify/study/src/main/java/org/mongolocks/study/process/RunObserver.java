package org.mongolocks.study.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.ChildMessage.GrantToken;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.sim.server.ProtectedResources;

/**
 * The observer of a run: tells each worker which lock to acquire next, passes the reports about each lock to its history,
 * and lets other threads wait for what happens. Thread-safe; each child has a calling thread of its own.
 */
final class RunObserver {
    private static final int POLL_MILLIS = 10;

    private final List<LockHistory> locks;
    private final Judge judge;
    private final Consumer<LockHistory> cut;
    private final RandomGenerator random;
    private final Map<Integer, Map<Integer, LockHistory>> used = new HashMap<>();
    private final List<Asker> waiting = new ArrayList<>();
    private final Map<Integer, Integer> grants = new ConcurrentHashMap<>();
    private final Map<Integer, Integer> reads = new ConcurrentHashMap<>();
    private State state = State.CLOSED;
    private final AtomicReference<@Nullable RunFailedException> failure = new AtomicReference<>();

    private enum State {
        /** No worker gets a lock yet. */
        CLOSED,
        OPEN,
        /** No worker gets a lock any more. */
        OVER
    }

    /** A worker that waits for the number of its next lock. */
    private record Asker(int child, ChildMessage.Next asked, IntConsumer answer) {}

    /**
     * Creates an observer.
     *
     * @param locks the locks, numbered from 1
     * @param judge gets the counters
     * @param cut called with each lock whose history is to be checked; must not block, and must lead to {@link #isCut}
     * @param seed determines the choice of locks
     */
    RunObserver(List<LockHistory> locks, Judge judge, Consumer<LockHistory> cut, long seed) {
        this.locks = List.copyOf(locks);
        this.judge = judge;
        this.cut = cut;
        this.random = new Random(seed);
    }

    /** Records an event of a child. */
    void record(int child, Event event) {
        LockHistory lock = lock(event.lock());
        if (lock.record(child, event)) {
            judge.counts(event, lock.technique());
        }
        if (event.is(Op.ACQUIRE, Phase.OK)) {
            grants.merge(child, 1, Integer::sum);
        }
    }

    /** Records a fault of a process, or of the server, whose number is 0, in the histories of all locks. */
    void recordFault(int process, Op op, Phase phase, String what) {
        Event event = new Event(0, System.nanoTime(), process, op, phase, 0, 0, 0, 0, 0, 0, what);
        locks.forEach(lock -> lock.record(process, event));
    }

    /** Reads the resources for a holder. */
    ProtectedResources.Values read(int child, GrantToken grantToken) {
        ProtectedResources.Values values = lock(grantToken.lock()).read(child, grantToken);
        reads.merge(child, 1, Integer::sum);
        return values;
    }

    /** Writes the resources for a holder. */
    void write(int child, GrantToken grantToken, ProtectedResources.Values read) {
        lock(grantToken.lock()).write(child, grantToken, read);
    }

    /**
     * Chooses the lock that a worker acquires next; the answer, its number or {@link ParentMessage#NO_LOCK}, may be given
     * later, on any thread.
     */
    synchronized void next(int child, ChildMessage.Next asked, IntConsumer answer) {
        leave(child, asked.worker());
        waiting.add(new Asker(child, asked, answer));
        serve();
    }

    /** Lets workers acquire locks. */
    synchronized void opens() {
        state = State.OPEN;
        serve();
    }

    /** Called when a lock has been checked and can be used again. */
    synchronized void isCut() {
        serve();
    }

    /** Gives no more locks to workers; locks are no longer checked when they are unused. */
    synchronized void ends() {
        state = State.OVER;
        serve();
    }

    /** Called at the normal end of a child. */
    void ended(int child, ChildMessage.Bye bye) {
        if (bye.leftThreads() > 0) {
            judge.leaks("client " + child + ": " + bye.leftThreads() + " threads of closed clients are left");
        }
        judge.usage().ended(child);
    }

    /** Called with the memory and the threads of a child. */
    void measured(int child, ChildMessage.Usage usage) {
        judge.usage().add(child, usage);
    }

    /** Called when the connection of a child has ended, after all of its reports. */
    synchronized void gone(int child) {
        locks.forEach(lock -> lock.gone(child));
        waiting.removeIf(asker -> asker.child() == child);
        Map<Integer, LockHistory> uses = used.remove(child);
        if (uses != null) {
            uses.values().forEach(LockHistory::leave);
            uses.values().forEach(this::cutIfUnused);
        }
        judge.usage().ended(child);
    }

    /** Fails the run; the first failure is kept. */
    void fail(RunFailedException e) {
        failure.compareAndSet(null, e);
    }

    /**
     * Waits until a condition holds, within a time limit.
     *
     * @return whether it holds
     * @throws RunFailedException if the run has failed
     */
    boolean await(BooleanSupplier condition, Duration limit) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        requireNoFailure();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos >= 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            requireNoFailure();
        }
        return true;
    }

    void requireNoFailure() {
        RunFailedException first = failure.get();
        if (first != null) {
            throw first;
        }
    }

    /** Returns the number of grants. */
    int grants() {
        return grants.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns the number of grants of a child. */
    int grantsOf(int child) {
        return grants.getOrDefault(child, 0);
    }

    /** Returns how often other children have read resources. */
    int readsOfOthers(int child) {
        return reads.values().stream().mapToInt(Integer::intValue).sum() - reads.getOrDefault(child, 0);
    }

    private LockHistory lock(int number) {
        return locks.get(number - 1);
    }

    private void leave(int child, int worker) {
        Map<Integer, LockHistory> uses = used.get(child);
        LockHistory left = uses == null ? null : uses.remove(worker);
        if (left != null) {
            left.leave();
            cutIfUnused(left);
        }
    }

    private void cutIfUnused(LockHistory lock) {
        if (state == State.OPEN && lock.rests()) {
            cut.accept(lock);
        }
    }

    private void serve() {
        if (state == State.CLOSED) {
            return;
        }
        for (Iterator<Asker> askers = waiting.iterator(); askers.hasNext(); ) {
            Asker asker = askers.next();
            int chosen = state == State.OVER ? ParentMessage.NO_LOCK : choose(asker);
            if (chosen != 0) {
                askers.remove();
                asker.answer().accept(chosen);
            }
        }
    }

    /** Returns the number of a lock that is in use; 0 if all of them are about to be cut. */
    private int choose(Asker asker) {
        List<LockHistory> candidates = locks.stream()
                .filter(lock -> lock.technique().name().equals(asker.asked().technique()))
                .toList();
        int first = random.nextInt(candidates.size());
        for (int i = 0; i < candidates.size(); i++) {
            LockHistory lock = candidates.get((first + i) % candidates.size());
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
