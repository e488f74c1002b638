package org.mongolocks.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.Observation;

/**
 * Is the line of those who wait for one lock in one client. Only the first of them asks the server; what it learns, all
 * know. Guarded by its {@link WaitingRoom}.
 */
final class WaitingLine {
    private final String name;
    private final Deque<Place> places = new ArrayDeque<>();
    private final Watch watch = new Watch();
    private boolean due;
    private boolean asking;
    private long nextAskNanos;
    private int polls;

    WaitingLine(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    void join(Place place) {
        places.add(place);
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    Stream<Place> places() {
        return places.stream();
    }

    Optional<Place> first() {
        return Optional.ofNullable(places.peek());
    }

    boolean isFirst(Place place) {
        return place == places.peek();
    }

    int countPoll() {
        return ++polls;
    }

    /** Notes a reason to ask now. One that comes while the first is asking stays until it asks again. */
    void makeDue(boolean reason) {
        due |= reason;
    }

    void begin() {
        due = false;
        asking = true;
    }

    /** Notes what the server said. Only the first keeps the others informed. */
    void contended(Place place, LockSnapshot holder, long nowNanos) {
        if (isFirst(place)) {
            watch.saw(holder, nowNanos);
        }
    }

    /** Notes when the first asks again at the latest. */
    void askAfter(Place place, long nowNanos, Duration patience) {
        if (isFirst(place)) {
            asking = false;
            nextAskNanos = nowNanos + patience.toNanos();
        }
    }

    /** Notes that somebody in this line has the lock now. */
    void granted(Place place, long nowNanos, Duration patience) {
        askAfter(place, nowNanos, patience);
        polls = 0;
    }

    /** Takes a place out. An answer that it will not hear any more may have been that the lock is free. */
    boolean leave(Place place) {
        boolean wasFirst = isFirst(place);
        if (wasFirst) {
            due |= asking;
            asking = false;
        }
        places.remove(place);
        return wasFirst;
    }

    Duration patience(long nowNanos) {
        return due ? Duration.ZERO : Duration.ofNanos(Math.max(0, nextAskNanos - nowNanos));
    }

    Optional<Observation> observed(long nowNanos) {
        return watch.since(nowNanos);
    }
}
