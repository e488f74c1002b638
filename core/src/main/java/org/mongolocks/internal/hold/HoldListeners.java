package org.mongolocks.internal.hold;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Lease;
import org.mongolocks.LockEndangeredListener;
import org.mongolocks.LockLostListener;
import org.mongolocks.LossReason;
import org.mongolocks.internal.run.BackgroundLog;

/**
 * The threads, programs and listeners that a held lock notifies. A loss interrupts the threads at once. The programs of
 * the library that stop because of it are signalled on the thread that finds the loss, and the listeners of the user
 * are called by an executor, one after another: such calls are queued inside the monitor of the hold, and made by
 * {@link #dispatch} outside of it. Thread-safe.
 */
final class HoldListeners {
    /** Most locks end without a call. */
    private static final int FEW = 1;

    private final Executor executor;
    /** By handle; a handle that is released takes its listeners with it, whatever their number. */
    private final Map<Object, Registered> handles = new LinkedHashMap<>();

    private final Queue<Runnable> calls = new ArrayDeque<>(FEW);
    private final Queue<Runnable> signals = new ArrayDeque<>(FEW);
    private final Set<Thread> interrupted = new HashSet<>();

    private volatile boolean hasWarnings;
    private boolean calling;
    private boolean lost;
    private boolean released;

    HoldListeners(Executor executor, boolean isLost, boolean isReleased) {
        this.executor = executor;
        this.lost = isLost;
        this.released = isReleased;
    }

    /** What was registered by one handle. */
    private static final class Registered {
        private final List<LockLostListener> listeners = new ArrayList<>(FEW);
        private final Set<LockLostListener> programs = new LinkedHashSet<>();
        private final List<ExpiryWarning> warnings = new ArrayList<>(FEW);
        private @Nullable Thread worker;

        boolean isEmpty() {
            return listeners.isEmpty() && programs.isEmpty() && warnings.isEmpty() && worker == null;
        }
    }

    private Registered of(Object handle) {
        return handles.computeIfAbsent(handle, added -> new Registered());
    }

    private void update(Object handle, Consumer<Registered> change) {
        handles.computeIfPresent(handle, (same, registered) -> {
            change.accept(registered);
            return registered.isEmpty() ? null : registered;
        });
    }

    private Stream<ExpiryWarning> warnings() {
        return handles.values().stream().flatMap(registered -> registered.warnings.stream());
    }

    synchronized void add(Object handle, LockLostListener listener) {
        of(handle).listeners.add(listener);
    }

    /** Adds a listener that is called at once; it only completes a future, or hands a task to another thread. */
    synchronized void addProgram(Object handle, LockLostListener signal) {
        of(handle).programs.add(signal);
    }

    synchronized void removeProgram(Object handle, LockLostListener signal) {
        update(handle, registered -> registered.programs.remove(signal));
    }

    synchronized void add(Object handle, Duration remaining, LockEndangeredListener listener) {
        of(handle).warnings.add(new ExpiryWarning(remaining, listener));
        hasWarnings = true;
    }

    /** Returns whether an expiry warning was added. */
    boolean hasWarnings() {
        return hasWarnings;
    }

    synchronized void remove(Object handle) {
        handles.remove(handle);
    }

    synchronized int size() {
        return handles.size();
    }

    /** Registers a thread to interrupt; at once if the lock is lost, and not after its release. */
    synchronized void interruptOnLoss(Object handle, Thread thread) {
        if (!released) {
            of(handle).worker = thread;
            if (lost) {
                interrupted.add(thread);
                thread.interrupt();
            }
        }
    }

    synchronized void endInterrupt(Object handle) {
        update(handle, registered -> registered.worker = null);
    }

    synchronized boolean hasInterrupted(Thread thread) {
        return interrupted.contains(thread);
    }

    /** Interrupts no thread from now on. */
    synchronized void released() {
        handles.values().forEach(registered -> registered.worker = null);
        released = true;
    }

    /** Queues the expiry warnings that are due with that much of the lease left and were not sent before. */
    synchronized void warn(Lease lease, Duration left) {
        warnings()
                .filter(warning -> warning.becomesDue(left))
                .forEach(warning -> calls.add(() -> warning.listener().onEndangered(lease, left)));
    }

    /** Records a new end; returns whether a warning that was sent becomes due again, earlier than that end. */
    synchronized boolean extended(Duration left) {
        return warnings().map(warning -> warning.extended(left)).reduce(false, Boolean::logicalOr);
    }

    /** Interrupts the registered threads except this one, which has found the loss, and queues all calls. */
    synchronized void lost(Lease lease, LossReason reason) {
        lost = true;
        handles.values().forEach(registered -> {
            interrupt(registered.worker);
            registered.programs.forEach(signal -> signals.add(() -> signal.onLost(lease, reason)));
            registered.listeners.forEach(listener -> enqueue(listener, lease, reason));
        });
    }

    /** Queues the call of a listener of the user. */
    synchronized void enqueue(LockLostListener listener, Lease lease, LossReason reason) {
        calls.add(() -> listener.onLost(lease, reason));
    }

    /**
     * Signals the programs that stop because of a loss, on this thread; an error in one does not hide it from others.
     */
    void signal() {
        boolean ended = false;
        try {
            for (Runnable signal = nextSignal(); signal != null; signal = nextSignal()) {
                run(signal);
            }
            ended = true;
        } finally {
            if (!ended) {
                signal();
            }
        }
    }

    /** Makes the queued calls of listeners, on other threads. */
    void dispatch() {
        if (!begin()) {
            return;
        }
        boolean begun = false;
        try {
            executor.execute(this::callOne);
            begun = true;
        } catch (RejectedExecutionException e) {
            BackgroundLog.log(WARNING, "The listeners of a lock cannot be called: their client is closed", e);
        } finally {
            if (!begun) {
                end();
            }
        }
    }

    /** Returns how long to wait until the next warning is due, or the lease ends. */
    synchronized Duration untilNext(Duration left) {
        Duration next = warnings()
                .map(warning -> warning.untilDue(left))
                .filter(untilDue -> untilDue.compareTo(left) < 0)
                .min(Duration::compareTo)
                .orElse(left);
        return next.isNegative() ? Duration.ZERO : next;
    }

    /** Makes one call per task, so that other locks get their turn in between, and an error ends only its own call. */
    private void callOne() {
        try {
            run(nextCall());
        } finally {
            end();
            dispatch();
        }
    }

    private static void run(@Nullable Runnable call) {
        try {
            if (call != null) {
                call.run();
            }
        } catch (RuntimeException e) {
            BackgroundLog.log(WARNING, "A listener of a lock failed", e);
        }
    }

    private synchronized boolean begin() {
        boolean begins = !calling && !calls.isEmpty();
        calling |= begins;
        return begins;
    }

    private synchronized void end() {
        calling = false;
    }

    private synchronized @Nullable Runnable nextCall() {
        return calls.poll();
    }

    private synchronized @Nullable Runnable nextSignal() {
        return signals.poll();
    }

    private void interrupt(@Nullable Thread worker) {
        if (worker != null && !worker.equals(Thread.currentThread()) && interrupted.add(worker)) {
            worker.interrupt();
        }
    }

    /** The time before the end of a lease at which a listener is warned. Not thread-safe. */
    static final class ExpiryWarning {
        private final Duration before;
        private final LockEndangeredListener listener;
        private boolean sent;

        ExpiryWarning(Duration before, LockEndangeredListener listener) {
            this.before = before;
            this.listener = listener;
        }

        static void requireWithin(Duration ttl, Duration remaining) {
            if (remaining.isNegative() || remaining.isZero() || remaining.compareTo(ttl) >= 0) {
                throw new IllegalArgumentException(
                        "remaining must be more than zero and less than the ttl (" + ttl + "), was " + remaining);
            }
        }

        LockEndangeredListener listener() {
            return listener;
        }

        /** Returns whether the lease has come this near to its end for the first time. */
        boolean becomesDue(Duration remaining) {
            boolean due = !sent && remaining.compareTo(before) <= 0;
            sent |= due;
            return due;
        }

        /**
         * Records a new end, and returns whether a warning that was sent is sent again. A lease that is still this
         * near to its end does not cause another.
         */
        boolean extended(Duration remaining) {
            boolean repeats = sent && remaining.compareTo(before) > 0;
            sent &= !repeats;
            return repeats;
        }

        /** Returns how long to wait until the next check. */
        Duration untilDue(Duration remaining) {
            return sent ? remaining : remaining.minus(before);
        }
    }
}
