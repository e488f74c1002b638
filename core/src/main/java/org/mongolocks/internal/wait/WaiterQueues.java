package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.internal.run.ConnectionShortage;
import org.mongolocks.spi.LastKnownState;
import org.mongolocks.spi.Step;

/**
 * The waiter queues of one client, one for each lock. Thread-safe.
 *
 * <p>The head of a queue makes an attempt when a change stream reports a release of the lock, when the holder's lease
 * ends, or, without such a stream, when its next poll is due. The other waiters send no command until they are the
 * head, so that the cost of a grant does not grow with their number.
 */
public final class WaiterQueues implements AutoCloseable {
    /** While changes are delivered, an attempt without an event only guards against a missed one. */
    private static final Duration GUARD = Duration.ofSeconds(10);
    /** How often to read a lock in one lease where the reply does not show the end of the lease. */
    private static final int LOOKS_PER_LEASE = 3;

    /** The fair waiters have one queue, the others another. */
    private record Key(String name, boolean isInOrder) {
        static Key of(WaiterQueue line) {
            return new Key(line.name(), line instanceof FairWaiterQueue);
        }
    }

    private final ClientSettings settings;
    private final ReleaseWatcher lookout;
    private final EventLag lag;
    private final LastSeenCache recollections = new LastSeenCache();
    private final Map<Key, WaiterQueue> lines = new HashMap<>();
    private volatile Runnable collectionEnded = () -> {};

    /**
     * Creates empty queues for a client that never lacks connections.
     *
     * @param settings the settings of the client
     * @param feed opens change streams
     */
    public WaiterQueues(ClientSettings settings, ChangeFeed feed) {
        this(settings, feed, new ConnectionShortage(settings.time()), new EventLag(settings.time()));
    }

    /**
     * Creates empty queues.
     *
     * @param settings the settings of the client
     * @param feed opens change streams
     * @param shortage detects that a stream takes a connection that commands need
     * @param lag measures how late events are
     */
    public WaiterQueues(ClientSettings settings, ChangeFeed feed, ConnectionShortage shortage, EventLag lag) {
        this.settings = settings;
        this.lag = lag;
        this.lookout = new ReleaseWatcher(this, settings, feed, shortage);
    }

    /**
     * Notifies the waiters of a lock that a program of this client releases. A change stream reports the release too;
     * without one this is the only notification.
     *
     * @param name the name of the lock
     * @param program ends with whether it released the lock
     * @return the program
     */
    public Step<Boolean> notifyingWaiters(LockName name, Step<Boolean> program) {
        if (lookout.isListening()) {
            lag.releasing(name.value());
        }
        return program.andThen(freed -> {
            lag.released(name.value(), freed);
            if (freed) {
                recordState(name, LastKnownState.FREE);
            }
            if (freed && !isEmpty() && !isNotified()) {
                onRelease(name.value());
            }
            return Step.done(freed);
        });
    }

    /**
     * Sets the callback for when a change stream reports that the collection was dropped or renamed.
     *
     * @param action returns quickly
     */
    public void whenCollectionEnds(Runnable action) {
        collectionEnded = action;
    }

    /** The collection was dropped or renamed: held locks may be lost. */
    void collectionEnded() {
        collectionEnded.run();
    }

    /** Records the state of a lock in a reply of the server. */
    public void recordState(LockName name, LastKnownState seen) {
        recollections.record(name, seen);
    }

    /** Records a grant to this client. */
    public void granted(Lease lease) {
        recollections.recordGrant(lease);
    }

    /** Returns the grant with the largest token that this client remembers. */
    public Optional<Lease> newestGrant(LockName name) {
        return recollections.newestGrant(name);
    }

    /** Returns the state of a lock in the last reply; it may have changed since. */
    LastKnownState lastSeen(LockName name) {
        return recollections.of(name);
    }

    /** Closes the change stream, and wakes all waiters. */
    @Override
    public void close() {
        lookout.close();
        List<CompletableFuture<Void>> all;
        synchronized (this) {
            all = lines.values().stream()
                    .flatMap(WaiterQueue::places)
                    .map(Waiter::signal)
                    .toList();
        }
        all.forEach(signal -> signal.complete(null));
    }

    /** Joins the queue for a lock; empty if it has no waiters. */
    synchronized Optional<Waiter> join(LockName name) {
        return Optional.ofNullable(lines.get(new Key(name.value(), false))).map(this::placeIn);
    }

    /**
     * Joins after a contended reply. Later changes are unknown: the first waiter of a queue makes another attempt at
     * once if changes are delivered already, and otherwise as soon as they are.
     */
    Waiter enter(LockName name) {
        return joinOrBegin(name);
    }

    /** Joins the queue of the fair waiters, before a ticket is added: no release after that is missed. */
    synchronized Waiter enter(LockName name, QueueTicket ticket) {
        WaiterQueue line =
                lines.computeIfAbsent(new Key(name.value(), true), key -> new FairWaiterQueue(key.name(), nanoTime()));
        Waiter place = new Waiter(this, line, Optional.of(ticket));
        line.join(place);
        return place;
    }

    /** There is a waiter: changes must be delivered. */
    void ensureWatching() {
        lookout.ensureOpen();
    }

    /** A change stream reports a release. An event of a lock without waiters here, or an outdated event, is dropped. */
    void onReleaseEvent(String name, @Nullable BsonTimestamp at) {
        lag.event(name, at);
        if (isAwaited(name) && !lag.isLate()) {
            recordState(LockName.of(name), LastKnownState.NOTIFIED_FREE);
        }
        onRelease(name);
    }

    /** A change stream begins. */
    void begins() {
        lag.streamBegins();
        wakeAll();
    }

    /** A change stream proves to work: waiters that relied on an event that has not arrived poll now. */
    void listens() {
        if (lag.becameLate()) {
            wakeAll();
        }
    }

    /** A lock was released. */
    private void onRelease(String name) {
        wake(() -> Stream.of(true, false).flatMap(order -> Stream.ofNullable(lines.get(new Key(name, order)))));
    }

    /** Any lock may have been released. */
    void wakeAll() {
        wake(() -> lines.values().stream());
    }

    public synchronized boolean isEmpty() {
        return lines.isEmpty();
    }

    long nanoTime() {
        return settings.time().nanoTime();
    }

    synchronized void beginAttempt(Waiter place) {
        if (place.line().isFirst(place)) {
            place.line().begin();
        }
    }

    /**
     * Records the queue that the server showed to a fair waiter, and wakes the head if it may not know that it is the
     * head.
     */
    void onQueueRead(Waiter place, FairQueueSnapshot queue, boolean mayBeFree) {
        Optional<CompletableFuture<Void>> called = Optional.empty();
        synchronized (this) {
            FairWaiterQueue line = (FairWaiterQueue) place.line();
            boolean news = line.showed(queue, mayBeFree);
            if (news || line.isFirst(place)) {
                line.lookAfter(nanoTime(), pollingDelay(line, GUARD));
            }
            called = news ? line.first().map(Waiter::signal) : called;
        }
        called.ifPresent(signal -> signal.complete(null));
    }

    synchronized void contended(Waiter place, LockSnapshot holder) {
        WaiterQueue line = place.line();
        line.contended(place, holder, nanoTime());
        line.askAfter(place, nanoTime(), pollingDelay(line, endOf(holder)));
    }

    synchronized void lostRace(Waiter place) {
        WaiterQueue line = place.line();
        line.askAfter(place, nanoTime(), pollingDelay(line, Duration.ZERO));
    }

    /** Lets all other waiters of the queue go first, also those that join later. */
    void moveToEnd(Waiter place) {
        Optional<CompletableFuture<Void>> next;
        synchronized (this) {
            place.moveToEnd();
            next = place.line().first().filter(first -> first != place).map(Waiter::signal);
        }
        next.ifPresent(signal -> signal.complete(null));
    }

    void leave(Waiter place, Optional<Lease> granted) {
        Optional<CompletableFuture<Void>> next;
        synchronized (this) {
            WaiterQueue line = place.line();
            granted.ifPresent(lease -> line.granted(place, nanoTime(), pollingDelay(line, lease.ttl())));
            boolean wasFirst = line.leave(place);
            lines.computeIfPresent(Key.of(line), (key, same) -> same.isEmpty() ? null : same);
            next = wasFirst ? line.first().map(Waiter::signal) : Optional.empty();
        }
        next.ifPresent(signal -> signal.complete(null));
    }

    private synchronized boolean isAwaited(String name) {
        return lines.containsKey(new Key(name, false)) || lines.containsKey(new Key(name, true));
    }

    private synchronized Waiter joinOrBegin(LockName name) {
        WaiterQueue line = lines.computeIfAbsent(new Key(name.value(), false), key -> new WaiterQueue(key.name()));
        line.makeDue(line.isEmpty() && lookout.isListening());
        return placeIn(line);
    }

    private Waiter placeIn(WaiterQueue line) {
        Waiter place = new Waiter(this, line, Optional.empty());
        line.join(place);
        return place;
    }

    private Duration pollingDelay(WaiterQueue line, Duration end) {
        Duration poll = Duration.ofMillis(settings.polling().apply(line.countPoll()));
        Duration limit = isNotified() ? GUARD : lookout.isListening() ? pollBesideStream(poll) : poll;
        return end.isZero() ? poll : end.compareTo(limit) < 0 ? end : limit;
    }

    /** Changes are delivered, and in time. */
    private boolean isNotified() {
        return lookout.isListening() && !lag.isLate();
    }

    /** Halves a polling interval until it is short enough, which keeps its jitter. */
    private static Duration pollBesideStream(Duration poll) {
        Duration shorter = poll;
        while (shorter.compareTo(EventLag.MOST) > 0) {
            shorter = shorter.dividedBy(2);
        }
        return shorter;
    }

    /** Zero if the lock was free: the attempt lost every race. */
    private static Duration endOf(LockSnapshot holder) {
        return holder.isHeld() ? holder.remaining().orElse(holder.ttl().dividedBy(LOOKS_PER_LEASE)) : Duration.ZERO;
    }

    private void wake(Supplier<Stream<WaiterQueue>> woken) {
        List<CompletableFuture<Void>> signals;
        synchronized (this) {
            List<WaiterQueue> due = woken.get().toList();
            due.forEach(line -> line.makeDue(true));
            signals = due.stream()
                    .flatMap(line -> line.first().stream())
                    .map(Waiter::signal)
                    .toList();
        }
        signals.forEach(signal -> signal.complete(null));
    }
}
