package org.mongolocks.internal.hold;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.mongolocks.EndangeredListener;
import org.mongolocks.Lease;
import org.mongolocks.LossListener;
import org.mongolocks.LossReason;

/**
 * The listeners of one held lock. Calls are queued here inside the monitor of the hold, and dispatched later outside of
 * it. Thread-safe.
 */
final class Audience {
    private final Executor executor;
    private final Notices inOrder;
    private final List<Ear> ears = new ArrayList<>();
    private final List<DangerZone> zones = new ArrayList<>();

    /** A listener for the loss, and the executor that calls it. */
    record Ear(LossListener listener, Notices by) {
        void tell(Lease lease, LossReason reason) {
            by.add(() -> listener.onLost(lease, reason));
        }
    }

    Audience(Executor executor) {
        this.executor = executor;
        this.inOrder = new Notices(executor);
    }

    /** Registers a listener that is called after those before it. */
    Ear inOrder(LossListener listener) {
        return new Ear(listener, inOrder);
    }

    /** Registers a listener that is called independently of the others. */
    Ear apart(LossListener listener) {
        return new Ear(listener, new Notices(executor));
    }

    synchronized void add(Ear ear) {
        ears.add(ear);
    }

    synchronized void add(Duration remaining, EndangeredListener listener) {
        zones.add(new DangerZone(remaining, listener));
    }

    synchronized void remove(LossListener listener) {
        ears.removeIf(ear -> ear.listener() == listener);
    }

    /** Queues the expiry warnings that are due with that much of the lease left and were not sent before. */
    synchronized void warn(Lease lease, Duration left) {
        zones.stream()
                .filter(zone -> zone.enters(left))
                .map(DangerZone::listener)
                .forEach(listener -> inOrder.add(() -> listener.onEndangered(lease, left)));
    }

    synchronized void extended(Duration left) {
        zones.forEach(zone -> zone.extended(left));
    }

    synchronized void tellLoss(Lease lease, LossReason reason) {
        ears.forEach(ear -> ear.tell(lease, reason));
    }

    /** Dispatches the queued calls. */
    void pass() {
        if (hasEars()) {
            ways().forEach(Notices::pass);
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

    private synchronized List<Notices> ways() {
        return Stream.concat(Stream.of(inOrder), ears.stream().map(Ear::by))
                .distinct()
                .toList();
    }
}
