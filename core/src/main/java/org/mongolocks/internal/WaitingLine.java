package org.mongolocks.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.Observation;

/**
 * Is the line of those who wait for one lock in one client. Only the first of them asks the server; what it learns, all
 * know. Guarded by its {@link WaitingRoom}.
 */
class WaitingLine {
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

    /** Returns whether nobody goes before another who came earlier. */
    boolean isInOrder() {
        return false;
    }

    /** Puts the places in order; those that are equal stay as they are. */
    void sort(ToIntFunction<Place> position) {
        List<Place> sorted =
                places.stream().sorted(Comparator.comparingInt(position)).toList();
        places.clear();
        places.addAll(sorted);
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    Stream<Place> places() {
        return places.stream();
    }

    Optional<Place> first() {
        return places.stream()
                .filter(place -> !place.isLast() || isInOrder())
                .findFirst()
                .or(() -> Optional.ofNullable(places.peek()));
    }

    boolean isFirst(Place place) {
        return first().filter(place::equals).isPresent();
    }

    int countPoll() {
        return ++polls;
    }

    /** Notes a reason to ask now. One that comes while the first is asking stays until it asks again. */
    void makeDue(boolean reason) {
        due |= reason;
    }

    boolean isDue() {
        return due;
    }

    void begin() {
        due = false;
        asking = true;
    }

    /** What the first in a line does when it is time to do something. */
    enum Duty {
        /** Asks for the lock. */
        ASK,
        /** Looks who stands before it. */
        LOOK,
        /** Makes the tickets of the line last anew. */
        RENEW
    }

    /** Notes that the first has heard what it asked. */
    void answered() {
        asking = false;
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

    /** Tells what the first is to do when its patience is over. */
    Duty duty(long nowNanos) {
        return Duty.ASK;
    }

    /** Returns whether the first may ask for the lock. */
    boolean mayAsk() {
        return true;
    }

    Optional<Observation> observed(long nowNanos) {
        return watch.since(nowNanos);
    }
}
