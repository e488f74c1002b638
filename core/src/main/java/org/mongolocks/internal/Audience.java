package org.mongolocks.internal;

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
 * Is everybody who wants to be told of one lock. What there is to tell is put in order here, in the monitor of the hold,
 * and passed on later, outside of it. Thread-safe.
 */
final class Audience {
    private final Executor executor;
    private final Notices inOrder;
    private final List<Ear> ears = new ArrayList<>();
    private final List<DangerZone> zones = new ArrayList<>();

    /** A listener for the loss, and by which way it is told. */
    record Ear(LossListener listener, Notices by) {
        void tell(Lease lease, LossReason reason) {
            by.add(() -> listener.onLost(lease, reason));
        }
    }

    Audience(Executor executor) {
        this.executor = executor;
        this.inOrder = new Notices(executor);
    }

    /** Makes a way to a listener that is told after those before it. */
    Ear inOrder(LossListener listener) {
        return new Ear(listener, inOrder);
    }

    /** Makes a way to a listener that waits for no other. */
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

    /** Notes how much is left of the lease, for those to be warned who have not been. */
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

    /** Has told what there is to tell, each by its way. */
    void pass() {
        if (hasEars()) {
            ways().forEach(Notices::pass);
        } else {
            inOrder.pass();
        }
    }

    /** Tells how long to wait until somebody is to be warned, or the lease ends. */
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
