package org.mongolocks.internal;

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
import org.mongolocks.spi.LastSeen;
import org.mongolocks.spi.Step;

/**
 * Is where the acquisitions of one client wait, in one line for each lock. Thread-safe.
 *
 * <p>The first in a line asks the server: when a change stream tells that the lock was freed, when the holder's lease
 * ends, or, while there is no such stream, when its next poll is due. The others wait for their turn without a command,
 * so that what a grant costs does not grow with their number.
 */
public final class WaitingRoom implements AutoCloseable {
    /** While changes are told, asking without a reason only guards against one that was missed. */
    private static final Duration GUARD = Duration.ofSeconds(10);
    /** How often to look at a holder where the answer does not tell the end of its lease. */
    private static final int LOOKS_PER_LEASE = 3;

    /** There is a line for those who wait in order, and one for the others. */
    private record Key(String name, boolean isInOrder) {
        static Key of(WaitingLine line) {
            return new Key(line.name(), line instanceof QueueLine);
        }
    }

    private final ClientSettings settings;
    private final Lookout lookout;
    private final EventLag lag;
    private final Recollections recollections = new Recollections();
    private final Map<Key, WaitingLine> lines = new HashMap<>();
    private volatile Runnable collectionEnded = () -> {};

    /**
     * Makes an empty room for a client that never lacks connections.
     *
     * @param settings the settings of the client
     * @param feed opens change streams
     */
    public WaitingRoom(ClientSettings settings, ChangeFeed feed) {
        this(settings, feed, new ConnectionShortage(settings.time()), new EventLag(settings.time()));
    }

    /**
     * Makes an empty room.
     *
     * @param settings the settings of the client
     * @param feed opens change streams
     * @param shortage says when a stream takes a connection that commands need
     * @param lag measures how late events are
     */
    public WaitingRoom(ClientSettings settings, ChangeFeed feed, ConnectionShortage shortage, EventLag lag) {
        this.settings = settings;
        this.lag = lag;
        this.lookout = new Lookout(this, settings, feed, shortage);
    }

    /**
     * Has those who wait learn of a lock that a program of this client frees. A change stream will tell of it; without
     * one this is the word.
     *
     * @param name what it frees
     * @param program ends with whether it did
     * @return the program
     */
    public Step<Boolean> freeing(LockName name, Step<Boolean> program) {
        if (lookout.isListening()) {
            lag.releasing(name.value());
        }
        return program.andThen(freed -> {
            lag.released(name.value(), freed);
            if (freed) {
                saw(name, LastSeen.FREE);
            }
            if (freed && !isEmpty() && !isTold()) {
                freed(name.value());
            }
            return Step.done(freed);
        });
    }

    /**
     * Sets what is done when a change stream tells that the collection was dropped or renamed.
     *
     * @param action returns soon
     */
    public void whenCollectionEnds(Runnable action) {
        collectionEnded = action;
    }

    /** The collection was dropped or renamed: what was held may be gone. */
    void collectionEnded() {
        collectionEnded.run();
    }

    /** Notes how the server said that a lock is. */
    void saw(LockName name, LastSeen seen) {
        recollections.note(name, seen);
    }

    /** Notes a grant to this client. */
    void granted(Lease lease) {
        recollections.noteGrant(lease);
    }

    /** Returns the grant with the largest token that this client remembers. */
    Optional<Lease> newestGrant(LockName name) {
        return recollections.newestGrant(name);
    }

    /** Tells how the server said last that a lock is; it may have changed since. */
    LastSeen lastSeen(LockName name) {
        return recollections.of(name);
    }

    /** Ends the listening, and has everybody look up who waits. */
    @Override
    public void close() {
        lookout.close();
        List<CompletableFuture<Void>> all;
        synchronized (this) {
            all = lines.values().stream()
                    .flatMap(WaitingLine::places)
                    .map(Place::signal)
                    .toList();
        }
        all.forEach(signal -> signal.complete(null));
    }

    /** Joins the line for a lock; empty if nobody waits for it. */
    synchronized Optional<Place> join(LockName name) {
        return Optional.ofNullable(lines.get(new Key(name.value(), false))).map(this::placeIn);
    }

    /**
     * Enters after an answer that another has the lock. What happened since is not known: who begins a line asks again
     * at once if changes are told already, and otherwise as soon as they are.
     */
    Place enter(LockName name) {
        return joinOrBegin(name);
    }

    /** Enters the line of those who wait in order, before a ticket is taken: nothing that is freed then is missed. */
    synchronized Place enter(LockName name, Ticket ticket) {
        WaitingLine line =
                lines.computeIfAbsent(new Key(name.value(), true), key -> new QueueLine(key.name(), nanoTime()));
        Place place = new Place(this, line, Optional.of(ticket));
        line.join(place);
        return place;
    }

    /** Somebody waits now: changes are to be told. */
    void waits() {
        lookout.wanted();
    }

    /** A change stream tells that a lock was freed. What nobody here waits for is not remembered, nor what is history. */
    void told(String name, @Nullable BsonTimestamp at) {
        lag.event(name, at);
        if (isAwaited(name) && !lag.isLate()) {
            saw(LockName.of(name), LastSeen.RELEASED);
        }
        freed(name);
    }

    /** A change stream begins. */
    void begins() {
        lag.streamBegins();
        anyFreed();
    }

    /** A change stream shows that it works: those who relied on an event that has not come poll now. */
    void listens() {
        if (lag.becameLate()) {
            anyFreed();
        }
    }

    /** A lock was freed. */
    private void freed(String name) {
        wake(() -> Stream.of(true, false).flatMap(order -> Stream.ofNullable(lines.get(new Key(name, order)))));
    }

    /** Any lock may have been freed. */
    void anyFreed() {
        wake(() -> lines.values().stream());
    }

    synchronized boolean isEmpty() {
        return lines.isEmpty();
    }

    long nanoTime() {
        return settings.time().nanoTime();
    }

    synchronized void asks(Place place) {
        if (place.line().isFirst(place)) {
            place.line().begin();
        }
    }

    /** Takes in what the server showed one who stands in a queue, and calls the first who may not have known. */
    void showed(Place place, Queue queue, boolean mayBeFree) {
        Optional<CompletableFuture<Void>> called = Optional.empty();
        synchronized (this) {
            QueueLine line = (QueueLine) place.line();
            boolean news = line.showed(queue, mayBeFree);
            if (news || line.isFirst(place)) {
                line.lookAfter(nanoTime(), patience(line, GUARD));
            }
            called = news ? line.first().map(Place::signal) : called;
        }
        called.ifPresent(signal -> signal.complete(null));
    }

    synchronized void contended(Place place, LockSnapshot holder) {
        WaitingLine line = place.line();
        line.contended(place, holder, nanoTime());
        line.askAfter(place, nanoTime(), patience(line, endOf(holder)));
    }

    synchronized void outrun(Place place) {
        WaitingLine line = place.line();
        line.askAfter(place, nanoTime(), patience(line, Duration.ZERO));
    }

    /** Has all others in the line before one that stays, those who are to come as well. */
    void goesLast(Place place) {
        Optional<CompletableFuture<Void>> next;
        synchronized (this) {
            place.goesLast();
            next = place.line().first().filter(first -> first != place).map(Place::signal);
        }
        next.ifPresent(signal -> signal.complete(null));
    }

    void leave(Place place, Optional<Lease> granted) {
        Optional<CompletableFuture<Void>> next;
        synchronized (this) {
            WaitingLine line = place.line();
            granted.ifPresent(lease -> line.granted(place, nanoTime(), patience(line, lease.ttl())));
            boolean wasFirst = line.leave(place);
            lines.computeIfPresent(Key.of(line), (key, same) -> same.isEmpty() ? null : same);
            next = wasFirst ? line.first().map(Place::signal) : Optional.empty();
        }
        next.ifPresent(signal -> signal.complete(null));
    }

    private synchronized boolean isAwaited(String name) {
        return lines.containsKey(new Key(name, false)) || lines.containsKey(new Key(name, true));
    }

    private synchronized Place joinOrBegin(LockName name) {
        WaitingLine line = lines.computeIfAbsent(new Key(name.value(), false), key -> new WaitingLine(key.name()));
        line.makeDue(line.isEmpty() && lookout.isListening());
        return placeIn(line);
    }

    private Place placeIn(WaitingLine line) {
        Place place = new Place(this, line, Optional.empty());
        line.join(place);
        return place;
    }

    private Duration patience(WaitingLine line, Duration end) {
        Duration poll = Duration.ofMillis(settings.polling().apply(line.countPoll()));
        Duration limit = isTold() ? GUARD : lookout.isListening() ? besideStream(poll) : poll;
        return end.isZero() ? poll : end.compareTo(limit) < 0 ? end : limit;
    }

    /** Changes are told, and in time. */
    private boolean isTold() {
        return lookout.isListening() && !lag.isLate();
    }

    /** Halves a poll until it is short enough: that keeps its jitter. */
    private static Duration besideStream(Duration poll) {
        Duration shorter = poll;
        while (shorter.compareTo(EventLag.MOST) > 0) {
            shorter = shorter.dividedBy(2);
        }
        return shorter;
    }

    /** Zero if nobody has the lock: others were faster each time. */
    private static Duration endOf(LockSnapshot holder) {
        return holder.isHeld() ? holder.remaining().orElse(holder.ttl().dividedBy(LOOKS_PER_LEASE)) : Duration.ZERO;
    }

    private void wake(Supplier<Stream<WaitingLine>> woken) {
        List<CompletableFuture<Void>> signals;
        synchronized (this) {
            List<WaitingLine> due = woken.get().toList();
            due.forEach(line -> line.makeDue(true));
            signals = due.stream()
                    .flatMap(line -> line.first().stream())
                    .map(Place::signal)
                    .toList();
        }
        signals.forEach(signal -> signal.complete(null));
    }
}
