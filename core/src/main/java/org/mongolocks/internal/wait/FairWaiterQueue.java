package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The local queue of the fair waiters for one lock in one client, in the order of their tickets. The first makes
 * attempts only while it is the head of the queue of all clients; otherwise it reads the server queue when the lock was
 * released, and when the tickets before it have expired. Guarded by its {@link WaiterQueues}.
 */
final class FairWaiterQueue extends WaiterQueue {
    /** A head that was notified but makes no attempt may have left: the next waiter checks after this time. */
    private static final Duration HEAD_COMES = Duration.ofSeconds(1);
    /** Longer than a third of the longest ticket. */
    private static final Duration NEVER = Duration.ofDays(1);

    private FairQueueSnapshot newest = new FairQueueSnapshot(List.of(), false);
    private boolean atHead;
    private boolean called;
    private long lookNanos;
    private long renewNanos;

    FairWaiterQueue(String name, long nowNanos) {
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
    HeadAction duty(long nowNanos) {
        if (nowNanos - renewNanos >= 0) {
            return HeadAction.RENEW;
        }
        return atHead ? HeadAction.ASK : HeadAction.LOOK;
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
    void granted(Waiter place, long nowNanos, Duration patience) {
        super.granted(place, nowNanos, patience);
        lookNanos = nowNanos + patience.toNanos();
    }

    @Override
    boolean leave(Waiter place) {
        boolean wasFirst = super.leave(place);
        atHead &= !wasFirst;
        return wasFirst;
    }

    List<QueueTicket> tickets() {
        return places().flatMap(place -> place.ticket().stream()).toList();
    }

    /** Returns whether the queue, when last read, had no other owner than that of this waiter. */
    boolean isOnly(Waiter place) {
        return newest.isOnly(ownerOf(place));
    }

    /** Records that a ticket was added. */
    void taken(QueueTicket ticket, long startedNanos) {
        long next = startedNanos + ticket.renewedAfterNanos();
        renewNanos = next - renewNanos < 0 ? next : renewNanos;
    }

    /** Records that all tickets were renewed. A ticket that had expired is at the end now, and no longer the head. */
    void renewed(List<QueueTicket> tickets, FairQueueSnapshot queue, long startedNanos) {
        renewNanos = startedNanos + NEVER.toNanos();
        tickets.forEach(ticket -> taken(ticket, startedNanos));
        atHead &= first().filter(place -> queue.isHead(ownerOf(place))).isPresent();
    }

    /**
     * Records the queue that the server showed. A head stays the head: a reading that shows others before it is older.
     *
     * @return true if another waiter is the first now, or has become the head
     */
    boolean showed(FairQueueSnapshot queue, boolean mayBeFree) {
        newest = queue;
        Optional<Waiter> before = first();
        Map<String, Integer> positions = queue.positions();
        sort(place -> positions.getOrDefault(ownerOf(place), FairQueueSnapshot.MISSING));
        boolean isSame = before.equals(first());
        boolean wasHead = atHead && isSame;
        atHead = wasHead || position() == 0;
        super.makeDue(atHead && !wasHead && mayBeFree);
        return !isSame || atHead != wasHead;
    }

    /** Sets the latest time of the first waiter's next read. A waiter without a ticket adds another one. */
    void lookAfter(long nowNanos, Duration limit) {
        answered();
        int position = position();
        called &= !atHead;
        Duration gone = newest.lastBefore(position);
        Duration least = called && position == 1 && HEAD_COMES.compareTo(limit) < 0 ? HEAD_COMES : limit;
        lookNanos = nowNanos + (gone.compareTo(least) < 0 ? gone : least).toNanos();
        renewNanos = position == FairQueueSnapshot.MISSING ? nowNanos : renewNanos;
    }

    private int position() {
        return first().map(place -> newest.positions().getOrDefault(ownerOf(place), FairQueueSnapshot.MISSING))
                .orElse(FairQueueSnapshot.MISSING);
    }

    private static String ownerOf(Waiter place) {
        return place.ticket().map(ticket -> ticket.owner().stored()).orElse("");
    }

    private static Duration until(long thenNanos, long nowNanos) {
        return Duration.ofNanos(Math.max(0, thenNanos - nowNanos));
    }
}
