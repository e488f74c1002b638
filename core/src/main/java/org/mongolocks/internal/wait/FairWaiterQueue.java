package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.mongolocks.LockSnapshot;
import org.mongolocks.internal.wait.LastSeenCache.ReportedRelease;
import org.mongolocks.internal.wait.ReleaseEvents.Release;
import org.mongolocks.internal.wait.WaitingListEntry.Turn;
import org.mongolocks.spi.LockStrategy.LockOutcome;

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
 * {@link #NOT_CLAIMED_AFTER} without a release, if one ticket should be left before its own; each further ticket, and
 * each reading since the release, doubles that time.
 *
 * <p>A client that has died claims no lock. When each client with tickets before that of the head has had {@link
 * #NOT_CLAIMED_AFTER} in turn since the lock became free, or since a waiter gave up after that, and as many times
 * more as waiters gave up that it may still count, the head looks at the lock. If that has not changed, the head
 * skips these tickets: it makes an attempt. After the grant the command that removes its own ticket marks them, so
 * that each dead client costs that time once. A living owner of a skipped ticket keeps its place, and renews it,
 * which removes the mark. Other clients count skipped tickets until their next reading: so a head also reads when
 * its ticket should be the first if as many were skipped as there was time for.
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
    /** How long after a release the head reads if only one other ticket should be left. */
    static final Duration NOT_CLAIMED_AFTER = FreeLock.CLAIM_EXPECTED;
    /** More doublings exceed the longest delay. */
    private static final int MAX_DOUBLINGS = 10;
    /** Longer than a third of the longest ticket. */
    private static final Duration NEVER = Duration.ofDays(1);

    private FairQueueSnapshot newest;
    private boolean hasFirstTicket;
    private OptionalLong releasedNanos;
    /** How many other tickets should be granted the lock after the newest release that was reported. */
    private int grantsBefore = FairQueueSnapshot.MISSING;
    /** How many of these tickets may have been skipped since the newest reading, until the newest release. */
    private int maybeSkippedBefore;
    /** The same, since the newest release. */
    private int maybeSkipped;

    private final FreeLock freeLock = new FreeLock();
    private boolean isNotified;
    private boolean skipsOthers;
    private int readsSinceRelease;
    private Duration removalExpected = MIN_REMOVAL_EXPECTED;
    private Duration longestDelay = NEVER;
    private long ticketExpiresNanos;
    private long nextReadNanos;
    private long nextRenewalNanos;

    /**
     * Creates an empty queue.
     *
     * @param name the name of the lock
     * @param nowNanos the time
     * @param release the last release of the lock, if every release is reported
     */
    FairWaiterQueue(String name, long nowNanos, Optional<ReportedRelease> release) {
        super(name);
        this.newest = FairQueueSnapshot.unknown(nowNanos);
        this.releasedNanos =
                release.stream().mapToLong(ReportedRelease::atNanos).findFirst();
        this.readsSinceRelease = release.isPresent() ? 0 : MAX_DOUBLINGS;
        this.ticketExpiresNanos = nowNanos + NEVER.toNanos();
        this.nextReadNanos = nowNanos;
        this.nextRenewalNanos = nowNanos + NEVER.toNanos();
        release.ifPresent(reported -> freeLock.released(reported.revision(), reported.atNanos()));
    }

    @Override
    boolean isFair() {
        return true;
    }

    /** Counts a release. The head acts now if none of the tickets before its own should be left. */
    @Override
    Turn released(Release release, long nowNanos) {
        recordRelease(release.revisionSeen());
        countSkipped(nowNanos);
        maybeSkippedBefore += maybeSkipped;
        maybeSkipped = 0;
        releasedNanos = OptionalLong.of(nowNanos);
        freeLock.released(release.revision(), nowNanos);
        skipsOthers = false;
        readsSinceRelease = 0;
        if (hasFirstTicket || grantsExpected() == 0) {
            return Turn.CLAIM;
        }
        grantsBefore--;
        postponeRead(nowNanos);
        return Turn.NONE;
    }

    /** Counts the tickets for which there was time to be skipped until the lock was acquired. */
    private void countSkipped(long nowNanos) {
        long turns = freeLock.turnsUntil(nowNanos - MIN_REMOVAL_EXPECTED.toNanos());
        int others = Math.max(0, grantsBefore - maybeSkippedBefore);
        maybeSkipped = Math.max(
                maybeSkipped, FairQueueSnapshot.ticketsOfFirst(turns, newest.notGrantedBefore(ownerOfHead(), others)));
    }

    private int grantsExpected() {
        return Math.max(0, grantsBefore - maybeSkippedBefore - maybeSkipped);
    }

    @Override
    void forgetEvents() {
        super.forgetEvents();
        releasedNanos = OptionalLong.empty();
        freeLock.forget();
        skipsOthers = false;
    }

    /** Records whether events are delivered, and in time: only then a client claims the lock soon after a release. */
    void recordNotified(boolean isInTime) {
        isNotified = isInTime;
        if (!isInTime) {
            forgetEvents();
        }
    }

    @Override
    void beginAttempt(Waiter waiter, long nowNanos) {
        super.beginAttempt(waiter, nowNanos);
        skipsOthers = false;
        countRead();
    }

    private void countRead() {
        readsSinceRelease = Math.min(readsSinceRelease + 1, MAX_DOUBLINGS);
    }

    @Override
    HeadAction headAction(long nowNanos) {
        if (nowNanos - nextRenewalNanos >= 0) {
            return HeadAction.RENEW_TICKETS;
        }
        if (hasFirstTicket || skipsOthers) {
            return HeadAction.ATTEMPT;
        }
        boolean isLookDue = freeLock.isReadSince(newest) && nowNanos - lookNanos(nowNanos) >= 0;
        return isLookDue ? HeadAction.INSPECT_LOCK : HeadAction.READ_TICKETS;
    }

    /** Returns when to look whether the tickets before that of the head may be skipped. */
    private long lookNanos(long nowNanos) {
        if (!isNotified) {
            return nowNanos + NEVER.toNanos();
        }
        return freeLock.lookNanos(
                FairQueueSnapshot.turns(newest.notGrantedBefore(ownerOfHead(), grantsBefore)),
                removalExpected,
                nowNanos);
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

    /** Returns the owners whose tickets are to be marked as skipped since this one, behind them, is granted the lock. */
    List<String> skippedBy(FairQueueDocument.Ticket ticket) {
        return newest.unmarkedBefore(ticket.owner().stored());
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
     * @return true if another waiter is the head now, or if the head's ticket has become the first
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
        maybeSkippedBefore = 0;
        maybeSkipped = 0;
        freeLock.queueRead(queue);
        ticketExpiresNanos = nowNanos + newest.firstExpiryBefore(ownerOfHead()).toNanos();
        nextReadNanos = earlier(nextReadNanos, ticketExpiresNanos);
        boolean mayAttempt = hasFirstTicket && !wasFirst && mayBeFree;
        if (mayAttempt && isGrantedSinceRelease()) {
            postponeAttempt(nowNanos, CHECK_HOLDER_AFTER);
        } else {
            makeDue(mayAttempt);
        }
        return !isSameHead || hasFirstTicket != wasFirst;
    }

    /** Records the lock in the reply to a command of the head that began then. */
    void inspected(Optional<LockSnapshot> seen, long startedNanos, long nowNanos) {
        boolean isOlder = releasedNanos.isPresent() && startedNanos - releasedNanos.getAsLong() < 0;
        boolean isLate = startedNanos - lookNanos(startedNanos) >= 0;
        countSkipped(startedNanos);
        if (!isOlder && freeLock.inspected(seen, startedNanos) && isLate) {
            skipsOthers = true;
            makeDue(true);
        }
        countRead();
        postponeRead(nowNanos);
    }

    @Override
    Turn contended(Waiter waiter, LockOutcome.Contended seen, long nowNanos) {
        Turn turn = super.contended(waiter, seen, nowNanos);
        freeLock.inspected(Optional.of(seen.holder()), nowNanos);
        postponeRead(nowNanos);
        return turn;
    }

    /** Returns whether another client holds the lock: its ticket was removed after the newest release. */
    private boolean isGrantedSinceRelease() {
        return releasedNanos.isPresent() && newest.isGrantedAfter(releasedNanos.getAsLong());
    }

    /**
     * Ends the head's read and schedules the next. If the head's ticket is missing from the server queue, a renewal is
     * due now; its command appends the ticket again. So is it if the ticket was skipped.
     */
    void scheduleRead(long nowNanos, Duration limit) {
        endAttempt();
        longestDelay = limit;
        postponeRead(nowNanos);
        boolean isMissing = positionOfHead() == FairQueueSnapshot.MISSING;
        nextRenewalNanos = isMissing || newest.isSkipped(ownerOfHead()) ? nowNanos : nextRenewalNanos;
    }

    private void postponeRead(long nowNanos) {
        nextReadNanos = earlier(nowNanos + readDelay().toNanos(), ticketExpiresNanos);
        nextReadNanos = earlier(nextReadNanos, earlier(lookNanos(nowNanos), readBeforeLookNanos(nowNanos)));
    }

    /**
     * Returns when to read before those behind the head may skip it: some before it may have given up since, or do so
     * while it waits for their turns.
     */
    private long readBeforeLookNanos(long nowNanos) {
        List<FairQueueSnapshot.Entry> before = newest.notGrantedBefore(ownerOfHead(), grantsBefore);
        if (FairQueueSnapshot.turns(before) == FairQueueSnapshot.clients(before)) {
            return nowNanos + NEVER.toNanos();
        }
        long readNanos = freeLock.lookNanos(FairQueueSnapshot.clients(before), Duration.ZERO, nowNanos);
        if (newest.startedNanos() - readNanos < 0) {
            return readNanos;
        }
        return freeLock.isFree(nowNanos)
                ? newest.startedNanos() + NOT_CLAIMED_AFTER.toNanos()
                : nowNanos + NEVER.toNanos();
    }

    private Duration readDelay() {
        long steps = (long) grantsExpected() + readsSinceRelease;
        Duration delay =
                steps == 0 ? removalExpected : NOT_CLAIMED_AFTER.multipliedBy(1L << Math.min(steps - 1, MAX_DOUBLINGS));
        return delay.compareTo(longestDelay) < 0 ? delay : longestDelay;
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
