package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The local queue of the fair waiters for one lock in one client, in the order of their tickets. Its head makes
 * attempts only while its ticket is the first of all clients; otherwise it reads the server queue when the lock was
 * released, and when the tickets before it have expired. Guarded by its {@link WaiterQueues}.
 */
final class FairWaiterQueue extends WaiterQueue {
    /**
     * How long a first ticket of another client has for its attempt after a release. If the lock is still free then,
     * its owner may have crashed: the next waiter reads the queue.
     */
    private static final Duration ATTEMPT_EXPECTED = Duration.ofSeconds(1);
    /** Longer than a third of the longest ticket. */
    private static final Duration NEVER = Duration.ofDays(1);

    private FairQueueSnapshot newest = new FairQueueSnapshot(List.of(), false);
    private boolean hasFirstTicket;
    private boolean releaseSeen;
    private long nextReadNanos;
    private long nextRenewalNanos;

    FairWaiterQueue(String name, long nowNanos) {
        super(name);
        this.nextReadNanos = nowNanos;
        this.nextRenewalNanos = nowNanos + NEVER.toNanos();
    }

    @Override
    boolean isFair() {
        return true;
    }

    @Override
    void makeDue(boolean reason) {
        super.makeDue(reason);
        releaseSeen |= reason;
    }

    @Override
    HeadAction headAction(long nowNanos) {
        if (nowNanos - nextRenewalNanos >= 0) {
            return HeadAction.RENEW_TICKETS;
        }
        return hasFirstTicket ? HeadAction.ATTEMPT : HeadAction.READ_TICKETS;
    }

    @Override
    boolean headMayAttempt() {
        return hasFirstTicket;
    }

    @Override
    Duration headDelay(long nowNanos) {
        Duration renewal = until(nextRenewalNanos, nowNanos);
        Duration other = hasFirstTicket || isDue() ? super.headDelay(nowNanos) : until(nextReadNanos, nowNanos);
        return renewal.compareTo(other) < 0 ? renewal : other;
    }

    @Override
    void granted(Waiter waiter, long nowNanos, Duration delay) {
        super.granted(waiter, nowNanos, delay);
        nextReadNanos = nowNanos + delay.toNanos();
    }

    @Override
    boolean remove(Waiter waiter) {
        boolean wasHead = super.remove(waiter);
        hasFirstTicket &= !wasHead;
        return wasHead;
    }

    List<FairQueueDocument.Ticket> tickets() {
        return waiters().flatMap(waiter -> waiter.ticket().stream()).toList();
    }

    /** Returns whether the server queue, when last read, had no other ticket than that of this waiter. */
    boolean isOnly(Waiter waiter) {
        return newest.isOnly(ownerOf(waiter));
    }

    /** Records that a ticket was added. */
    void ticketAdded(FairQueueDocument.Ticket ticket, long startedNanos) {
        long next = startedNanos + ticket.renewedAfterNanos();
        nextRenewalNanos = next - nextRenewalNanos < 0 ? next : nextRenewalNanos;
    }

    /** Records that all tickets were renewed. A ticket that had expired is at the end now, and no longer the first. */
    void ticketsRenewed(List<FairQueueDocument.Ticket> tickets, FairQueueSnapshot queue, long startedNanos) {
        nextRenewalNanos = startedNanos + NEVER.toNanos();
        tickets.forEach(ticket -> ticketAdded(ticket, startedNanos));
        hasFirstTicket &=
                head().filter(waiter -> queue.isFirst(ownerOf(waiter))).isPresent();
    }

    /**
     * Records the server queue in a reply. A first ticket stays the first: a reading that shows others before it is
     * older.
     *
     * @return true if another waiter is the head now, or if the head's ticket has become the first
     */
    boolean queueRead(FairQueueSnapshot queue, boolean mayBeFree) {
        newest = queue;
        Optional<Waiter> headBefore = head();
        Map<String, Integer> positions = queue.positions();
        sort(waiter -> positions.getOrDefault(ownerOf(waiter), FairQueueSnapshot.MISSING));
        boolean isSameHead = headBefore.equals(head());
        boolean wasFirst = hasFirstTicket && isSameHead;
        hasFirstTicket = wasFirst || positionOfHead() == 0;
        super.makeDue(hasFirstTicket && !wasFirst && mayBeFree);
        return !isSameHead || hasFirstTicket != wasFirst;
    }

    /**
     * Ends the head's read and schedules the next. If the head's ticket is missing from the server queue, a renewal is
     * due now; its command appends the ticket again.
     */
    void scheduleRead(long nowNanos, Duration limit) {
        endAttempt();
        int position = positionOfHead();
        releaseSeen &= !hasFirstTicket;
        Duration expired = newest.lastBefore(position);
        Duration latest =
                releaseSeen && position == 1 && ATTEMPT_EXPECTED.compareTo(limit) < 0 ? ATTEMPT_EXPECTED : limit;
        nextReadNanos = nowNanos + (expired.compareTo(latest) < 0 ? expired : latest).toNanos();
        nextRenewalNanos = position == FairQueueSnapshot.MISSING ? nowNanos : nextRenewalNanos;
    }

    private int positionOfHead() {
        return head().map(waiter -> newest.positions().getOrDefault(ownerOf(waiter), FairQueueSnapshot.MISSING))
                .orElse(FairQueueSnapshot.MISSING);
    }

    private static String ownerOf(Waiter waiter) {
        return waiter.ticket().map(ticket -> ticket.owner().stored()).orElse("");
    }

    private static Duration until(long thenNanos, long nowNanos) {
        return Duration.ofNanos(Math.max(0, thenNanos - nowNanos));
    }
}
