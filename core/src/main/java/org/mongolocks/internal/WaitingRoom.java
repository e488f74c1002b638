package org.mongolocks.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.mongolocks.ClientSettings;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
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
    /** How often to look at a holder whose answer does not tell the end of its lease. */
    private static final int LOOKS_PER_LEASE = 3;

    private final ClientSettings settings;
    private final Lookout lookout;
    private final Map<String, WaitingLine> lines = new HashMap<>();

    /**
     * Makes an empty room.
     *
     * @param settings the settings of the client
     * @param feed opens change streams
     */
    public WaitingRoom(ClientSettings settings, ChangeFeed feed) {
        this.settings = settings;
        this.lookout = new Lookout(this, settings, feed);
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
        return program.andThen(freed -> {
            if (freed && !lookout.isListening()) {
                freed(name.value());
            }
            return Step.done(freed);
        });
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
        return Optional.ofNullable(lines.get(name.value())).map(this::placeIn);
    }

    /**
     * Enters after an answer that another has the lock. What happened since is not known: who begins a line asks again
     * at once if changes are told already, and otherwise as soon as they are.
     */
    Place enter(LockName name) {
        Place place = joinOrBegin(name);
        lookout.wanted();
        return place;
    }

    /** A lock was freed. */
    void freed(String name) {
        wake(() -> Stream.ofNullable(lines.get(name)));
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

    void asks(WaitingLine line) {
        synchronized (this) {
            line.begin();
        }
        lookout.wanted();
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

    void leave(Place place, Optional<Lease> granted) {
        Optional<CompletableFuture<Void>> next;
        synchronized (this) {
            WaitingLine line = place.line();
            granted.ifPresent(lease -> line.granted(place, nanoTime(), patience(line, lease.ttl())));
            boolean wasFirst = line.leave(place);
            lines.computeIfPresent(line.name(), (name, same) -> same.isEmpty() ? null : same);
            next = wasFirst ? line.first().map(Place::signal) : Optional.empty();
        }
        next.ifPresent(signal -> signal.complete(null));
    }

    private synchronized Place joinOrBegin(LockName name) {
        WaitingLine line = lines.computeIfAbsent(name.value(), WaitingLine::new);
        line.makeDue(line.isEmpty() && lookout.isListening());
        return placeIn(line);
    }

    private Place placeIn(WaitingLine line) {
        Place place = new Place(this, line);
        line.join(place);
        return place;
    }

    private Duration patience(WaitingLine line, Duration end) {
        Duration poll = Duration.ofMillis(settings.polling().apply(line.countPoll()));
        Duration limit = lookout.isListening() ? GUARD : poll;
        return end.isZero() ? poll : end.compareTo(limit) < 0 ? end : limit;
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
