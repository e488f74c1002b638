package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.mongolocks.internal.wait.ReleaseEvents.Release;
import org.mongolocks.internal.wait.WaitingListEntry.Turn;

/**
 * The local queue of the fair waiters for one lock in one client, in the order of their tickets. Its head makes
 * attempts only while its ticket is the first of all clients, which a reading of the server queue has shown. Guarded by
 * its {@link WaiterQueues}.
 *
 * <p>A reading shows the tickets before that of the head, and each release lets one of them be granted the lock and
 * removed. So the head counts the releases, and reads again when its ticket should be the first: shortly after the last
 * release that is for another ticket, while its holder works. At the next release it makes its attempt.
 *
 * <p>The count is only an estimate: waiters give up or crash, and others than fair ones acquire the lock. A count that
 * is too small costs a further reading. One that is too large would leave the lock free. So the head also reads after
 * a part of {@link #NOT_CLAIMED_AFTER} without a release, if one ticket should be left before its own; later if it is
 * more tickets, and after each reading since the release.
 *
 * <p>A client that has died claims no lock. If a reading shows that no ticket was granted the lock for
 * {@link #NOT_CLAIMED_AFTER} since its release, for each client that has tickets before that of the head, the head
 * skips these: it makes an attempt, once for each release. The command that removes its own ticket after the grant
 * marks those before it as skipped, so that each dead client costs that time once. The owner of a skipped ticket that
 * is alive keeps its place; the next renewal removes the mark. Other clients count skipped tickets until their next
 * reading: so a head also reads when its ticket should be the first if as many were skipped as there was time for
 * before the newest release.
 */
final class FairWaiterQueue extends WaiterQueue {
    /** The shortest time in which the next waiter is granted a released lock, and its ticket is removed. */
    static final Duration MIN_REMOVAL_EXPECTED = Duration.ofMillis(20);
    /** The longest such time; the command that it is estimated from may have met a fault. */
    static final Duration MAX_REMOVAL_EXPECTED = EventLag.MAX_TIMELY;
    /** How long a head that need not attempt, since another client holds the lock, relies on the event of the release. */
    static final Duration CHECK_HOLDER_AFTER = Duration.ofSeconds(1);
    /** The commands from a release to the removal of the ticket, with the notification. */
    private static final int COMMANDS_UNTIL_REMOVAL = 3;
    /** How long each client has to claim the lock after a release. */
    static final Duration NOT_CLAIMED_AFTER = WaitingListEntry.CLAIM_EXPECTED;
    /** A head that counts so many tickets before its own reads before those behind it can skip it. */
    private static final int MAX_MISCOUNTED = 2;
    /** More doublings exceed the longest delay. */
    private static final int MAX_DOUBLINGS = 10;
    /** Longer than a third of the longest ticket. */
    private static final Duration NEVER = Duration.ofDays(1);

    private FairQueueSnapshot newest;
    private boolean hasFirstTicket;
    private OptionalLong releasedNanos;
    /** How many other tickets should be granted the lock after the newest release that was reported. */
    private int grantsBefore = FairQueueSnapshot.MISSING;
    /** How many of these tickets may have been skipped since the newest reading. */
    private int maybeSkipped;
    /** Whether the head's ticket was in the server queue at the newest release, which has recorded all grants since. */
    private boolean hadTicketAtRelease;

    private boolean skipsOthers;
    private boolean hasSkippedOthers;

    private int readsSinceRelease;
    private Duration removalExpected = MIN_REMOVAL_EXPECTED;
    private Duration longestDelay = NEVER;
    private long ticketsExpireNanos;
    private long nextReadNanos;
    private long nextRenewalNanos;

    /**
     * Creates an empty queue.
     *
     * @param name the name of the lock
     * @param nowNanos the time
     * @param releasedNanos when a release of the lock was last reported, if every release is
     */
    FairWaiterQueue(String name, long nowNanos, OptionalLong releasedNanos) {
        super(name);
        this.newest = new FairQueueSnapshot(List.of(), false, nowNanos, OptionalLong.empty());
        this.releasedNanos = releasedNanos;
        this.readsSinceRelease = releasedNanos.isPresent() ? 0 : MAX_DOUBLINGS;
        this.ticketsExpireNanos = nowNanos + NEVER.toNanos();
        this.nextReadNanos = nowNanos;
        this.nextRenewalNanos = nowNanos + NEVER.toNanos();
    }

    @Override
    boolean isFair() {
        return true;
    }

    /** Counts a release. The head acts now if none of the tickets before its own should be left. */
    @Override
    Turn released(Release release, long nowNanos) {
        recordRelease(release.revisionSeen());
        maybeSkipped = Math.max(maybeSkipped, maybeSkippedUntil(nowNanos));
        releasedNanos = OptionalLong.of(nowNanos);
        hadTicketAtRelease = positionOfHead() != FairQueueSnapshot.MISSING;
        hasSkippedOthers = false;
        skipsOthers = false;
        readsSinceRelease = 0;
        if (hasFirstTicket || grantsExpected() == 0) {
            return Turn.CLAIM;
        }
        grantsBefore--;
        postponeRead(nowNanos);
        return Turn.NONE;
    }

    /** A lock that was skipped tickets for, and released, was released a little later than that. */
    private int maybeSkippedUntil(long nowNanos) {
        if (!isUnclaimed()) {
            return 0;
        }
        long sinceRelease = nowNanos - releasedNanos.getAsLong() + MIN_REMOVAL_EXPECTED.toNanos();
        return newest.ticketsOfFirst(sinceRelease / NOT_CLAIMED_AFTER.toNanos(), ownerOfHead());
    }

    private int grantsExpected() {
        return Math.max(0, grantsBefore - maybeSkipped);
    }

    @Override
    void forgetEvents() {
        super.forgetEvents();
        releasedNanos = OptionalLong.empty();
        skipsOthers = false;
    }

    @Override
    void beginAttempt(Waiter waiter) {
        super.beginAttempt(waiter);
        hasSkippedOthers |= skipsOthers;
        skipsOthers = false;
        readsSinceRelease = Math.min(readsSinceRelease + 1, MAX_DOUBLINGS);
    }

    @Override
    HeadAction headAction(long nowNanos) {
        if (nowNanos - nextRenewalNanos >= 0) {
            return HeadAction.RENEW_TICKETS;
        }
        return hasFirstTicket || skipsOthers ? HeadAction.ATTEMPT : HeadAction.READ_TICKETS;
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
        grantsBefore = wasHead ? 0 : grantsBefore;
        return wasHead;
    }

    List<FairQueueDocument.Ticket> tickets() {
        return waiters().flatMap(waiter -> waiter.ticket().stream()).toList();
    }

    /** Returns whether the server queue, when last read, had no other ticket than that of this waiter. */
    boolean isOnly(Waiter waiter) {
        return newest.isOnly(ownerOf(waiter));
    }

    List<FairQueueSnapshot.Entry> ticketsBefore(FairQueueDocument.Ticket ticket) {
        return newest.before(ticket.owner().stored());
    }

    /** Records that a ticket was added. */
    void ticketAdded(FairQueueDocument.Ticket ticket, long startedNanos, long nowNanos) {
        renewed(ticket, startedNanos);
        long commands = COMMANDS_UNTIL_REMOVAL * (nowNanos - startedNanos);
        removalExpected = Duration.ofNanos(
                Math.min(Math.max(commands, MIN_REMOVAL_EXPECTED.toNanos()), MAX_REMOVAL_EXPECTED.toNanos()));
    }

    private void renewed(FairQueueDocument.Ticket ticket, long startedNanos) {
        nextRenewalNanos = earlier(startedNanos + ticket.renewedAfterNanos(), nextRenewalNanos);
    }

    /** Records that all tickets were renewed. A ticket that had expired is at the end now, and no longer the first. */
    void ticketsRenewed(List<FairQueueDocument.Ticket> tickets, FairQueueSnapshot queue, long startedNanos) {
        nextRenewalNanos = startedNanos + NEVER.toNanos();
        tickets.forEach(ticket -> renewed(ticket, startedNanos));
        hasFirstTicket &=
                head().filter(waiter -> queue.position(ownerOf(waiter)) == 0).isPresent();
    }

    /**
     * Records the server queue in a reply. A first ticket stays the first: a reading that shows others before it is
     * older. A ticket that has become the first while another client holds the lock has its attempt at the release.
     *
     * @return true if another waiter is the head now, or if the head's ticket has become the first, or skips others
     */
    boolean queueRead(FairQueueSnapshot queue, boolean mayBeFree, long nowNanos) {
        newest = queue;
        Optional<Waiter> headBefore = head();
        Map<String, Integer> places = queue.places();
        sort(waiter -> places.getOrDefault(ownerOf(waiter), FairQueueSnapshot.MISSING));
        boolean isSameHead = headBefore.equals(head());
        boolean wasFirst = hasFirstTicket && isSameHead;
        hasFirstTicket = wasFirst || positionOfHead() == 0;
        boolean isGrantExpected = releasedNanos.isPresent() && !isGrantedSinceRelease();
        grantsBefore = Math.max(0, positionOfHead() - (isGrantExpected ? 1 : 0));
        maybeSkipped = 0;
        skipsOthers = !hasFirstTicket && maySkipOthers() && queue.startedNanos() - mayBeSkippedNanos() >= 0;
        boolean mayAttempt = hasFirstTicket && !wasFirst && mayBeFree;
        if (mayAttempt && isGrantedSinceRelease()) {
            postponeAttempt(nowNanos, CHECK_HOLDER_AFTER);
        } else {
            makeDue(mayAttempt || skipsOthers);
        }
        return !isSameHead || hasFirstTicket != wasFirst || skipsOthers;
    }

    /** Returns whether no ticket was granted the lock since its newest release, as far as is known. */
    private boolean isUnclaimed() {
        return releasedNanos.isPresent() && hadTicketAtRelease && !isGrantedSinceRelease();
    }

    private boolean maySkipOthers() {
        return isUnclaimed() && !hasSkippedOthers;
    }

    /** Returns when each client that has tickets before that of the head had its time to claim the lock. */
    private long mayBeSkippedNanos() {
        return releasedNanos.orElseThrow()
                + NOT_CLAIMED_AFTER
                        .multipliedBy(newest.clientsBefore(ownerOfHead()))
                        .toNanos();
    }

    /** Returns whether another client holds the lock: its ticket was removed after the newest release. */
    private boolean isGrantedSinceRelease() {
        return releasedNanos.isPresent() && newest.isGrantedAfter(releasedNanos.getAsLong());
    }

    /**
     * Ends the head's read and schedules the next. If the head's ticket is missing from the server queue, a renewal is
     * due now; its command appends the ticket again.
     */
    void scheduleRead(long nowNanos, Duration limit) {
        endAttempt();
        longestDelay = limit;
        ticketsExpireNanos = nowNanos + newest.lastBefore(ownerOfHead()).toNanos();
        postponeRead(nowNanos);
        nextRenewalNanos = positionOfHead() == FairQueueSnapshot.MISSING ? nowNanos : nextRenewalNanos;
    }

    private void postponeRead(long nowNanos) {
        nextReadNanos = earlier(nowNanos + readDelay().toNanos(), ticketsExpireNanos);
        if (maySkipOthers() && !skipsOthers) {
            nextReadNanos = earlier(nextReadNanos, mayBeSkippedNanos());
        }
    }

    private Duration readDelay() {
        int expected = grantsExpected();
        Duration delay = readsSinceRelease == 0 && expected <= MAX_MISCOUNTED
                ? firstReadDelay(expected)
                : NOT_CLAIMED_AFTER.multipliedBy(
                        1L << Math.min((long) expected + readsSinceRelease - 1, MAX_DOUBLINGS));
        return delay.compareTo(longestDelay) < 0 ? delay : longestDelay;
    }

    private Duration firstReadDelay(int expected) {
        return expected == 0 ? removalExpected : NOT_CLAIMED_AFTER.minus(NOT_CLAIMED_AFTER.dividedBy(1L << expected));
    }

    private int positionOfHead() {
        return newest.position(ownerOfHead());
    }

    private String ownerOfHead() {
        return head().map(FairWaiterQueue::ownerOf).orElse("");
    }

    private static String ownerOf(Waiter waiter) {
        return waiter.ticket().map(ticket -> ticket.owner().stored()).orElse("");
    }

    private static long earlier(long oneNanos, long otherNanos) {
        return oneNanos - otherNanos < 0 ? oneNanos : otherNanos;
    }

    private static Duration until(long thenNanos, long nowNanos) {
        return Duration.ofNanos(Math.max(0, thenNanos - nowNanos));
    }
}
