package org.mongolocks.study.process;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.server.ProtectedResources.Values;

/**
 * The observer of a run: tells each worker which lock to acquire next, passes the reports about each lock to its history,
 * and lets other threads wait for what happens. Thread-safe; each child has a calling thread of its own.
 */
final class RunObserver {
    private static final int POLL_MILLIS = 10;

    private final List<LockHistory> locks;
    private final Judge judge;
    private final RandomGenerator random;
    private final Set<Worker> busy = new HashSet<>();
    private final Map<Integer, Integer> grants = new ConcurrentHashMap<>();
    private final Map<Integer, Integer> reads = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable RunFailedException> failure = new AtomicReference<>();
    private State state = State.CLOSED;

    /** Which workers get a lock. */
    enum State {
        /** None for now. */
        CLOSED,
        OPEN,
        /** None any more. */
        OVER
    }

    /** A worker of a child. */
    private record Worker(int child, int number) {}

    /**
     * Creates an observer.
     *
     * @param locks the locks, numbered from 1
     * @param judge gets the counters
     * @param seed determines the choice of locks
     */
    RunObserver(List<LockHistory> locks, Judge judge, long seed) {
        this.locks = List.copyOf(locks);
        this.judge = judge;
        this.random = new Random(seed);
    }

    /** Changes which workers get a lock. */
    synchronized void setState(State next) {
        state = next;
    }

    /** Returns the number of the lock that a worker acquires next, or one of {@link ParentMessage}. */
    synchronized int next(int child, ChildMessage.Next asked) {
        Worker worker = new Worker(child, asked.worker());
        busy.remove(worker);
        if (state != State.OPEN) {
            return state == State.OVER ? ParentMessage.NO_LOCK : ParentMessage.NO_LOCK_YET;
        }
        busy.add(worker);
        List<LockHistory> candidates = locks.stream()
                .filter(lock -> lock.technique().name().equals(asked.technique()))
                .toList();
        return candidates.get(random.nextInt(candidates.size())).number();
    }

    /** Returns whether no worker uses a lock. */
    synchronized boolean isIdle() {
        return busy.isEmpty();
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

    /** Reads or writes the resources for a holder that has reached a fault point. Returns the values read, if any. */
    Values used(int child, ChildMessage.Reached reached) {
        LockHistory lock = lock(reached.grantToken().lock());
        if (reached.point() == FaultPoint.CHECKED) {
            lock.write(child, reached.grantToken(), reached.values());
        } else if (reached.point() == FaultPoint.GRANTED) {
            reads.merge(child, 1, Integer::sum);
            return lock.read(child, reached.grantToken());
        }
        return Values.NONE;
    }

    private LockHistory lock(int number) {
        return locks.get(number - 1);
    }

    /** Called with the memory and the threads of a child. */
    void measured(int child, ChildMessage.Usage usage) {
        judge.usage().add(child, usage);
    }

    /** Called at the normal end of a child. */
    void ended(int child, ChildMessage.Bye bye) {
        if (bye.leftThreads() > 0) {
            judge.leaks("client " + child + ": " + bye.leftThreads() + " threads of closed clients are left");
        }
        judge.usage().ended(child);
    }

    /** Called when the connection of a child has ended, after all of its reports. */
    synchronized void gone(int child) {
        locks.forEach(lock -> lock.gone(child));
        busy.removeIf(worker -> worker.child() == child);
        judge.usage().ended(child);
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

    /** Fails the run; the first failure is kept. */
    void fail(RunFailedException e) {
        failure.compareAndSet(null, e);
    }

    void requireNoFailure() {
        RunFailedException first = failure.get();
        if (first != null) {
            throw first;
        }
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
}
