package org.mongolocks.internal.hold;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.mongolocks.ExpiryWarningListener;
import org.mongolocks.Lease;
import org.mongolocks.LockLostListener;
import org.mongolocks.LossReason;

/**
 * The listeners of one held lock. Calls are queued here inside the monitor of the hold, and dispatched later outside of
 * it. Thread-safe.
 */
final class HoldListeners {
    private final Executor executor;
    private final SerialExecutor inOrder;
    private final List<Registration> ears = new ArrayList<>();
    private final List<ExpiryWarning> zones = new ArrayList<>();

    /** A listener for the loss, and the executor that calls it. */
    record Registration(LockLostListener listener, SerialExecutor by) {
        void tell(Lease lease, LossReason reason) {
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

    synchronized void add(Registration ear) {
        ears.add(ear);
    }

    synchronized void add(Duration remaining, ExpiryWarningListener listener) {
        zones.add(new ExpiryWarning(remaining, listener));
    }

    synchronized void remove(LockLostListener listener) {
        ears.removeIf(ear -> ear.listener() == listener);
    }

    /** Queues the expiry warnings that are due with that much of the lease left and were not sent before. */
    synchronized void warn(Lease lease, Duration left) {
        zones.stream()
                .filter(zone -> zone.enters(left))
                .map(ExpiryWarning::listener)
                .forEach(listener -> inOrder.add(() -> listener.onEndangered(lease, left)));
    }

    synchronized void extended(Duration left) {
        zones.forEach(zone -> zone.extended(left));
    }

    synchronized void enqueueLoss(Lease lease, LossReason reason) {
        ears.forEach(ear -> ear.tell(lease, reason));
    }

    /** Dispatches the queued calls. */
    void dispatch() {
        if (hasEars()) {
            ways().forEach(SerialExecutor::pass);
        } else {
            inOrder.pass();
        }
    }

    /** Returns how long to wait until the next warning is due, or the lease ends. */
    synchronized Duration untilNext(Duration left) {
        Duration next = zones.stream()
                .map(zone -> zone.untilEntered(left))
                .min(Duration::compareTo)
                .orElse(left);
        return next.isNegative() ? Duration.ZERO : next;
    }

    private synchronized boolean hasEars() {
        return !ears.isEmpty();
    }

    private synchronized List<SerialExecutor> ways() {
        return Stream.concat(Stream.of(inOrder), ears.stream().map(Registration::by))
                .distinct()
                .toList();
    }
}
