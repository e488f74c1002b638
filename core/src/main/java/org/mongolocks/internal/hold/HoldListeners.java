package org.mongolocks.internal.hold;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ExpiryWarningListener;
import org.mongolocks.Lease;
import org.mongolocks.LockLostListener;
import org.mongolocks.LossReason;

/**
 * The listeners of one held lock. Calls are queued here inside the monitor of the hold, and dispatched later outside of
 * it. Thread-safe.
 */
final class HoldListeners {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final Executor executor;
    private final SerialExecutor inOrder;
    private final List<Registration> registrations = new ArrayList<>();
    private final List<ExpiryWarning> warnings = new ArrayList<>();

    /** A listener for the loss, and the executor that calls it. */
    record Registration(LockLostListener listener, SerialExecutor by) {
        void enqueue(Lease lease, LossReason reason) {
            by.add(() -> listener.onLost(lease, reason));
        }
    }

    HoldListeners(Executor executor) {
        this.executor = executor;
        this.inOrder = new SerialExecutor(executor);
    }

    /** Registers a listener that is called after those before it. */
    Registration serial(LockLostListener listener) {
        return new Registration(listener, inOrder);
    }

    /** Registers a listener that is called independently of the others. */
    Registration concurrent(LockLostListener listener) {
        return new Registration(listener, new SerialExecutor(executor));
    }

    synchronized void add(Registration registration) {
        registrations.add(registration);
    }

    synchronized void add(Duration remaining, ExpiryWarningListener listener) {
        warnings.add(new ExpiryWarning(remaining, listener));
    }

    synchronized void remove(LockLostListener listener) {
        registrations.removeIf(one -> one.listener() == listener);
    }

    /** Queues the expiry warnings that are due with that much of the lease left and were not sent before. */
    synchronized void warn(Lease lease, Duration left) {
        warnings.stream()
                .filter(warning -> warning.becomesDue(left))
                .map(ExpiryWarning::listener)
                .forEach(listener -> inOrder.add(() -> listener.onEndangered(lease, left)));
    }

    synchronized void extended(Duration left) {
        warnings.forEach(warning -> warning.extended(left));
    }

    synchronized void enqueueLoss(Lease lease, LossReason reason) {
        registrations.forEach(one -> one.enqueue(lease, reason));
    }

    /** Dispatches the queued calls. */
    void dispatch() {
        if (hasRegistrations()) {
            executors().forEach(SerialExecutor::dispatch);
        } else {
            inOrder.dispatch();
        }
    }

    /** Returns how long to wait until the next warning is due, or the lease ends. */
    synchronized Duration untilNext(Duration left) {
        Duration next = warnings.stream()
                .map(warning -> warning.untilDue(left))
                .min(Duration::compareTo)
                .orElse(left);
        return next.isNegative() ? Duration.ZERO : next;
    }

    private synchronized boolean hasRegistrations() {
        return !registrations.isEmpty();
    }

    private synchronized List<SerialExecutor> executors() {
        return Stream.concat(Stream.of(inOrder), registrations.stream().map(Registration::by))
                .distinct()
                .toList();
    }

    /**
     * A serial executor of listener calls: one after another, in their order, never on the calling thread. A call that
     * fails does not stop the later ones. Thread-safe.
     */
    static final class SerialExecutor {
        private final Executor executor;
        private final Queue<Runnable> queue = new ArrayDeque<>();
        private boolean running;

        SerialExecutor(Executor executor) {
            this.executor = executor;
        }

        /** Queues a call. It runs after {@link #dispatch()}, which a caller with a monitor calls later. */
        synchronized void add(Runnable call) {
            queue.add(call);
        }

        /** Dispatches the queued calls. */
        void dispatch() {
            if (begin()) {
                execute();
            }
        }

        private synchronized boolean begin() {
            boolean begins = !running && !queue.isEmpty();
            running |= begins;
            return begins;
        }

        private void execute() {
            boolean begun = false;
            try {
                executor.execute(this::runOne);
                begun = true;
            } catch (RejectedExecutionException e) {
                LOG.log(WARNING, "The listeners of a lock cannot be called: their executor has ended", e);
            } finally {
                if (!begun) {
                    end();
                }
            }
        }

        /** Runs one call per task, so that other locks get their turn in between, and an error ends only its own call. */
        private void runOne() {
            Runnable call = next();
            try {
                if (call != null) {
                    call.run();
                }
            } catch (RuntimeException e) {
                LOG.log(WARNING, "A listener of a lock failed", e);
            } finally {
                end();
                dispatch();
            }
        }

        private synchronized @Nullable Runnable next() {
            return queue.poll();
        }

        private synchronized void end() {
            running = false;
        }
    }

    /** The time before the end of a lease at which a listener is warned. Not thread-safe. */
    static final class ExpiryWarning {
        private final Duration before;
        private final ExpiryWarningListener listener;
        private boolean sent;

        ExpiryWarning(Duration before, ExpiryWarningListener listener) {
            this.before = before;
            this.listener = listener;
        }

        static void requireWithin(Duration ttl, Duration remaining) {
            if (remaining.isNegative() || remaining.isZero() || remaining.compareTo(ttl) >= 0) {
                throw new IllegalArgumentException(
                        "remaining must be more than zero and less than the ttl (" + ttl + "), was " + remaining);
            }
        }

        ExpiryWarningListener listener() {
            return listener;
        }

        /** Returns whether the lease has come this near to its end for the first time. */
        boolean becomesDue(Duration remaining) {
            boolean due = !sent && remaining.compareTo(before) <= 0;
            sent |= due;
            return due;
        }

        /** Records a new end. A lease that is still this near to its end does not cause another warning. */
        void extended(Duration remaining) {
            sent &= remaining.compareTo(before) <= 0;
        }

        /** Returns how long to wait until the next check. */
        Duration untilDue(Duration remaining) {
            return sent ? remaining : remaining.minus(before);
        }
    }
}
