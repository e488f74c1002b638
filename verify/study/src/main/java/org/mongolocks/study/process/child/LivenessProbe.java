package org.mongolocks.study.process.child;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.blocking.DriverConnection;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.process.message.ChildConfig;
import org.mongolocks.study.process.observer.RunObserver;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;

/** A client that acquires locks which no other client uses any more, to check that they can be acquired. */
public final class LivenessProbe implements AutoCloseable {
    /**
     * If a lock cannot be acquired in this time it counts as a leak. Long enough for a client that waits for a whole
     * lease by its own clock.
     */
    public static final Duration LIMIT = RealTechniques.TTL.multipliedBy(2).plusSeconds(5);

    private final DriverConnection connection;
    private final ChildClient contender;

    public LivenessProbe(ChildConfig.Place place, Technique technique) throws InterruptedException {
        this.connection = ChildClient.connect(place, technique, ChildConfig.Driver.SYNC, new AtomicLong());
        this.contender = new ChildClient(connection, place, technique);
    }

    /**
     * Acquires and releases a lock; repeats an acquisition that ends with an error, which says nothing about the lock.
     *
     * @param observer records the events
     * @param number the number of this client in the history
     * @param name the lock
     * @param limit the time after which it counts as a leak
     */
    public void probe(RunObserver observer, int number, LockName name, Duration limit) throws InterruptedException {
        ChildHistory notes = new ChildHistory(event -> observer.record(number, event));
        LockRequest request = contender.request(name);
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        observer.recordFault(number, Op.PROBE, Phase.INVOKE, "");
        Optional<HeldLockMonitor> held = Optional.empty();
        for (long left = limit.toNanos(); held.isEmpty() && left > 0; left = deadlineNanos - System.nanoTime()) {
            Duration wait = Duration.ofNanos(left);
            held = HeldLockMonitor.acquire(notes, contender, () -> contender.acquire(request.waitAtMost(wait)));
        }
        observer.recordFault(number, Op.PROBE, held.isPresent() ? Phase.OK : Phase.FAIL, "");
        held.ifPresent(HeldLockMonitor::release);
    }

    @Override
    public void close() {
        contender.close();
        connection.close();
    }
}
