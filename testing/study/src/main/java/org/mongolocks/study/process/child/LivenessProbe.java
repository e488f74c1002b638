package org.mongolocks.study.process.child;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.mongolocks.LockException;
import org.mongolocks.blocking.DriverConnection;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.process.child.TestedLocks.Request;
import org.mongolocks.study.process.child.TestedLocks.TestedLock;
import org.mongolocks.study.process.message.ParentMessage.Driver;
import org.mongolocks.study.process.message.ParentMessage.Place;
import org.mongolocks.study.technique.Column;
import org.mongolocks.study.technique.Library;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;

/** A client that acquires locks which no other client uses any more, to check that they can be acquired. */
public final class LivenessProbe implements AutoCloseable {
    /**
     * If a lock cannot be acquired in this time, it cannot be acquired. Long enough for a client that waits for a whole
     * lease by its own clock, and to pass over waiters that have died.
     */
    public static final Duration LIMIT = limit(RealTechniques.TTL);

    /** No command of a probe is lost; on a busy machine it takes long. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(30);
    /** As many times as the probe may acquire a lock that nobody else uses, it waits in addition: its commands take time. */
    private static final int ACQUISITIONS = 20;

    private final Optional<DriverConnection> connection;
    private final RecordedLocks client;

    /** The result of a probe. */
    public enum Outcome {
        /** The lock can be acquired. */
        FREE(Phase.OK),
        /** It cannot, although others can. */
        STUCK(Phase.FAIL),
        /** No lock could be acquired in time: the machine, or the server, is too busy. */
        NOT_JUDGED(Phase.INFO);

        private final Phase phase;

        Outcome(Phase phase) {
            this.phase = phase;
        }
    }

    /** Returns this time for leases of another length. */
    public static Duration limit(Duration ttl) {
        return ttl.multipliedBy(2).plusSeconds(5);
    }

    /** Opens a client; a consumer gets its events. */
    public LivenessProbe(Place place, Column column, Consumer<Event> history) throws InterruptedException {
        if (column instanceof Library library) {
            this.connection = Optional.empty();
            this.client = new RecordedLocks(column, () -> PeerTestedLocks.open(library, place), history);
            return;
        }
        Technique technique = (Technique) column;
        DriverConnection opened = LibraryLocks.connect(place, technique, Driver.SYNC, new AtomicLong());
        this.connection = Optional.of(opened);
        this.client = new RecordedLocks(
                technique, () -> new LibraryLocks(opened, place, technique, COMMAND_TIMEOUT), history);
    }

    /**
     * Acquires and releases a lock; repeats an acquisition that ends with an error, which says nothing about the lock. On a
     * busy machine it waits longer.
     *
     * @param number the number of the lock
     * @param limit how long it takes at most where commands take no time
     */
    public Outcome probe(int number, Duration limit) throws InterruptedException {
        long start = System.nanoTime();
        client.record(number, 0, Op.PROBE, Phase.INVOKE, "");
        Optional<RecordedLocks.Held> held = acquire(number, limit);
        Duration pace = Duration.ZERO;
        long left = 1;
        while (held.isEmpty() && left > 0 && pace.compareTo(limit) < 0) {
            Duration now = pace();
            pace = now.compareTo(pace) > 0 ? now : pace;
            left = limit.plus(pace.multipliedBy(ACQUISITIONS)).toNanos() - (System.nanoTime() - start);
            held = left > 0 ? acquire(number, Duration.ofNanos(left)) : held;
        }
        Outcome outcome =
                held.isPresent() ? Outcome.FREE : pace.compareTo(limit) < 0 ? Outcome.STUCK : Outcome.NOT_JUDGED;
        client.record(number, 0, Op.PROBE, outcome.phase, "");
        held.ifPresent(RecordedLocks.Held::release);
        return outcome;
    }

    /**
     * Returns the locks that have waiters. After all clients have ended, and the probe has acquired each lock, which passes
     * over the waiters of killed clients, there should be none.
     */
    public List<String> awaited() throws InterruptedException {
        return client.locks().awaited();
    }

    private Optional<RecordedLocks.Held> acquire(int number, Duration wait) throws InterruptedException {
        Request request = request(RealTechniques.lock(number).value(), wait);
        return client.acquire(number, () -> client.locks().acquire(request));
    }

    private Request request(String lock, Duration wait) {
        return new Request(lock, wait, client.technique().config().isKeptAlive(), false);
    }

    /** Measures how long it takes to acquire a new lock, and to release it. */
    private Duration pace() throws InterruptedException {
        long start = System.nanoTime();
        try {
            client.locks()
                    .acquire(request("probe-" + UUID.randomUUID(), Duration.ZERO))
                    .ifPresent(TestedLock::release);
        } catch (LockException e) {
            // Its time counts too.
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Override
    public void close() {
        client.close();
        connection.ifPresent(DriverConnection::close);
    }
}
