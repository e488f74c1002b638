package org.mongolocks.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Is the line of those who wait in order for one lock in one client: it stands in the order of their tickets. The first
 * asks for the lock only while it is the head of the queue of all clients; otherwise it looks at the queue when a lock
 * was freed, and when the tickets before it have run out. Guarded by its {@link WaitingRoom}.
 */
final class QueueLine extends WaitingLine {
    /** A head that was called but does not come has given up: whoever is next makes sure. */
    private static final Duration HEAD_COMES = Duration.ofSeconds(1);
    /** Longer than a third of the longest ticket. */
    private static final Duration NEVER = Duration.ofDays(1);

    private Queue newest = new Queue(List.of(), false);
    private boolean atHead;
    private boolean called;
    private long lookNanos;
    private long renewNanos;

    QueueLine(String name, long nowNanos) {
        super(name);
        this.lookNanos = nowNanos;
        this.renewNanos = nowNanos + NEVER.toNanos();
    }

    @Override
    boolean isInOrder() {
        return true;
    }

    @Override
    void makeDue(boolean reason) {
        super.makeDue(reason);
        called |= reason;
    }

    @Override
    Duty duty(long nowNanos) {
        if (nowNanos - renewNanos >= 0) {
            return Duty.RENEW;
        }
        return atHead ? Duty.ASK : Duty.LOOK;
    }

    @Override
    boolean mayAsk() {
        return atHead;
    }

    @Override
    Duration patience(long nowNanos) {
        Duration renewal = until(renewNanos, nowNanos);
        Duration other = atHead || isDue() ? super.patience(nowNanos) : until(lookNanos, nowNanos);
        return renewal.compareTo(other) < 0 ? renewal : other;
    }

    @Override
    void granted(Place place, long nowNanos, Duration patience) {
        super.granted(place, nowNanos, patience);
        lookNanos = nowNanos + patience.toNanos();
    }

    @Override
    boolean leave(Place place) {
        boolean wasFirst = super.leave(place);
        atHead &= !wasFirst;
        return wasFirst;
    }

    List<Ticket> tickets() {
        return places().flatMap(place -> place.ticket().stream()).toList();
    }

    /** Returns whether nobody but the owner of a place was seen when the queue was last seen. */
    boolean isOnly(Place place) {
        return newest.isOnly(ownerOf(place));
    }

    /** Notes that a ticket was taken. */
    void taken(Ticket ticket, long startedNanos) {
        long next = startedNanos + ticket.renewedAfterNanos();
        renewNanos = next - renewNanos < 0 ? next : renewNanos;
    }

    /** Notes that all tickets were renewed. Whoever had none left stands at the end now, and is not the head any more. */
    void renewed(List<Ticket> tickets, Queue queue, long startedNanos) {
        renewNanos = startedNanos + NEVER.toNanos();
        tickets.forEach(ticket -> taken(ticket, startedNanos));
        atHead &= first().filter(place -> queue.isHead(ownerOf(place))).isPresent();
    }

    /**
     * Takes in what the server showed. Whoever is the head stays it: that others were seen before it was earlier.
     *
     * @return true if the first is another now, or has become the head
     */
    boolean showed(Queue queue, boolean mayBeFree) {
        newest = queue;
        Optional<Place> before = first();
        Map<String, Integer> positions = queue.positions();
        sort(place -> positions.getOrDefault(ownerOf(place), Queue.MISSING));
        boolean isSame = before.equals(first());
        boolean wasHead = atHead && isSame;
        atHead = wasHead || position() == 0;
        super.makeDue(atHead && !wasHead && mayBeFree);
        return !isSame || atHead != wasHead;
    }

    /** Notes when the first looks again at the latest. One that has no ticket takes another. */
    void lookAfter(long nowNanos, Duration limit) {
        answered();
        int position = position();
        called &= !atHead;
        Duration gone = newest.lastBefore(position);
        Duration least = called && position == 1 && HEAD_COMES.compareTo(limit) < 0 ? HEAD_COMES : limit;
        lookNanos = nowNanos + (gone.compareTo(least) < 0 ? gone : least).toNanos();
        renewNanos = position == Queue.MISSING ? nowNanos : renewNanos;
    }

    private int position() {
        return first().map(place -> newest.positions().getOrDefault(ownerOf(place), Queue.MISSING))
                .orElse(Queue.MISSING);
    }

    private static String ownerOf(Place place) {
        return place.ticket().map(ticket -> ticket.owner().stored()).orElse("");
    }

    private static Duration until(long thenNanos, long nowNanos) {
        return Duration.ofNanos(Math.max(0, thenNanos - nowNanos));
    }
}
