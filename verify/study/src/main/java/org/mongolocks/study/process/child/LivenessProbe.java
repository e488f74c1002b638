package org.mongolocks.study.process.child;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
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
     * If a lock cannot be acquired in this time, it cannot be acquired. Long enough for a client that waits for a whole
     * lease by its own clock, and to pass over waiters that have died.
     */
    public static final Duration LIMIT = RealTechniques.TTL.multipliedBy(2).plusSeconds(5);

    /** No command of a probe is lost; on a busy machine it takes long. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(30);
    /** As many times as the probe may acquire a lock that nobody else uses, it waits in addition: its commands take time. */
    private static final int ACQUISITIONS = 20;

    private final DriverConnection connection;
    private final ChildClient contender;

    /** What a probe has shown. */
    public enum Outcome {
        /** The lock can be acquired. */
        FREE,
        /** It cannot, although others can. */
        STUCK,
        /** No lock could be acquired in time: the machine, or the server, is too busy. */
        NOT_JUDGED;

        private Phase phase() {
            return switch (this) {
                case FREE -> Phase.OK;
                case STUCK -> Phase.FAIL;
                case NOT_JUDGED -> Phase.INFO;
            };
        }
    }

    public LivenessProbe(ChildConfig.Place place, Technique technique) throws InterruptedException {
        this.connection = ChildClient.connect(place, technique, ChildConfig.Driver.SYNC, new AtomicLong());
        this.contender = new ChildClient(connection, place, technique, COMMAND_TIMEOUT);
    }

    /**
     * Acquires and releases a lock; repeats an acquisition that ends with an error, which says nothing about the lock. On a
     * busy machine it waits longer.
     *
     * @param observer records the events
     * @param number the number of this client in the history
     * @param name the lock
     * @param limit how long it takes at most where commands take no time
     */
    public Outcome probe(RunObserver observer, int number, LockName name, Duration limit) throws InterruptedException {
        ChildHistory notes = new ChildHistory(event -> observer.record(number, event));
        long start = System.nanoTime();
        observer.recordFault(number, Op.PROBE, Phase.INVOKE, "");
        Optional<HeldLockMonitor> held = acquire(notes, name, limit);
        Duration pace = Duration.ZERO;
        long left = 1;
        while (held.isEmpty() && left > 0 && pace.compareTo(limit) < 0) {
            Duration now = pace();
            pace = now.compareTo(pace) > 0 ? now : pace;
            left = limit.plus(pace.multipliedBy(ACQUISITIONS)).toNanos() - (System.nanoTime() - start);
            held = left > 0 ? acquire(notes, name, Duration.ofNanos(left)) : held;
        }
        Outcome outcome =
                held.isPresent() ? Outcome.FREE : pace.compareTo(limit) < 0 ? Outcome.STUCK : Outcome.NOT_JUDGED;
        observer.recordFault(number, Op.PROBE, outcome.phase(), "");
        held.ifPresent(HeldLockMonitor::release);
        return outcome;
    }

    private Optional<HeldLockMonitor> acquire(ChildHistory notes, LockName name, Duration wait)
            throws InterruptedException {
        LockRequest request = contender.request(name).waitAtMost(wait);
        return HeldLockMonitor.acquire(notes, contender, () -> contender.acquire(request));
    }

    /** Measures how long it takes to acquire a new lock, and to release it. */
    private Duration pace() throws InterruptedException {
        long start = System.nanoTime();
        LockName unused = LockName.of("probe-" + UUID.randomUUID());
        acquire(new ChildHistory(event -> {}), unused, Duration.ZERO).ifPresent(HeldLockMonitor::release);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Override
    public void close() {
        contender.close();
        connection.close();
    }
}
