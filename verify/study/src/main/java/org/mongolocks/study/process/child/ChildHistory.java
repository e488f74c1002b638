package org.mongolocks.study.process.child;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.mongolocks.Lease;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/** Records the events of one process's locks with their times. Thread-safe. */
final class ChildHistory {
    private final AtomicInteger grants;
    private final Consumer<Event> reader;
    private final int lock;

    /** Creates a recorder that passes each event to a reader before the next event. */
    ChildHistory(Consumer<Event> reader) {
        this(new AtomicInteger(), reader, 0);
    }

    private ChildHistory(AtomicInteger grants, Consumer<Event> reader, int lock) {
        this.grants = grants;
        this.reader = reader;
        this.lock = lock;
    }

    /** Returns a recorder for a lock, with the same numbers of grants. */
    ChildHistory of(int which) {
        return new ChildHistory(grants, reader, which);
    }

    int lock() {
        return lock;
    }

    int newGrant() {
        return grants.incrementAndGet();
    }

    void note(Op op, Phase phase, int grant, String text) {
        reader.accept(new Event(0, System.nanoTime(), 0, op, phase, grant, 0, 0, 0, 0, 0, text, lock));
    }

    void released(Phase phase, int grant, long token) {
        reader.accept(new Event(0, System.nanoTime(), 0, Op.RELEASE, phase, grant, token, 0, 0, 0, 0, "", lock));
    }

    /**
     * Computes when the lease began, which is when its request was sent, from its end, the skew margin and its length.
     */
    void lease(Op op, int grant, Lease lease, boolean isHeeded) {
        long from = lease.validUntilNanos()
                + ChildClient.SKEW_MARGIN.minus(lease.ttl()).toNanos();
        long until = isHeeded ? lease.validUntilNanos() : Long.MAX_VALUE;
        reader.accept(new Event(
                0, System.nanoTime(), 0, op, Phase.OK, grant, lease.fencingToken(), 0, from, until, 0, "", lock));
    }
}
