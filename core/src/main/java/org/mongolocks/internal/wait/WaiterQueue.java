package org.mongolocks.internal.wait;

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
 * The local queue of the waiters for one lock in one client. Only the head makes attempts; all share what it learns.
 * Guarded by its {@link WaiterQueues}.
 */
public class WaiterQueue {
    private final String name;
    private final Deque<Waiter> places = new ArrayDeque<>();
    private final UnchangedTimer watch = new UnchangedTimer();
    private boolean due;
    private boolean asking;
    private long nextAskNanos;
    private int polls;

    WaiterQueue(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    void join(Waiter place) {
        places.add(place);
    }

    /** Returns whether the queue is strictly first come, first served. */
    boolean isInOrder() {
        return false;
    }

    /** Sorts the waiters; equal ones keep their order. */
    void sort(ToIntFunction<Waiter> position) {
        List<Waiter> sorted =
                places.stream().sorted(Comparator.comparingInt(position)).toList();
        places.clear();
        places.addAll(sorted);
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    Stream<Waiter> places() {
        return places.stream();
    }

    Optional<Waiter> first() {
        return places.stream()
                .filter(place -> !place.isLast() || isInOrder())
                .findFirst()
                .or(() -> Optional.ofNullable(places.peek()));
    }

    boolean isFirst(Waiter place) {
        return first().filter(place::equals).isPresent();
    }

    int countPoll() {
        return ++polls;
    }

    /** Records a reason for an attempt now. One that arrives during an attempt stays until the next attempt. */
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

    /** The action of the head when its wait is over. */
    public enum HeadAction {
        /** Attempts to acquire the lock. */
        ASK,
        /** Reads the waiters before it. */
        LOOK,
        /** Renews the tickets of the queue. */
        RENEW
    }

    /** Records that the head got a reply. */
    void answered() {
        asking = false;
    }

    /** Records the reply of the server. Only the head updates the shared state. */
    void contended(Waiter place, LockSnapshot holder, long nowNanos) {
        if (isFirst(place)) {
            watch.saw(holder, nowNanos);
        }
    }

    /** Sets the latest time of the head's next attempt. */
    void askAfter(Waiter place, long nowNanos, Duration patience) {
        if (isFirst(place)) {
            asking = false;
            nextAskNanos = nowNanos + patience.toNanos();
        }
    }

    /** Records that a waiter of this queue holds the lock now. */
    void granted(Waiter place, long nowNanos, Duration patience) {
        askAfter(place, nowNanos, patience);
        polls = 0;
    }

    /** Removes a waiter. The reply that it no longer receives may have been that the lock is free. */
    boolean leave(Waiter place) {
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

    /** Returns the action of the head when its wait is over. */
    HeadAction duty(long nowNanos) {
        return HeadAction.ASK;
    }

    /** Returns whether the head may attempt to acquire the lock. */
    boolean mayAsk() {
        return true;
    }

    Optional<Observation> observed(long nowNanos) {
        return watch.since(nowNanos);
    }
}
