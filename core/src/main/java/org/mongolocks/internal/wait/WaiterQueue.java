package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockSnapshot;
import org.mongolocks.internal.wait.ReleaseEvents.Release;
import org.mongolocks.internal.wait.WaitingListEntry.Turn;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.AcquireContext.Observation;
import org.mongolocks.spi.LockStrategy.LockOutcome;

/**
 * The local queue of the waiters for one lock in one client. Only the head makes attempts; all share what its replies
 * show. Guarded by its {@link WaiterQueues}.
 */
public class WaiterQueue {
    /** The part of its wait, at the end, in which a lock is read together with others: the last fourth. */
    private static final int PARTS_READ_EARLY = 4;
    /** The part of its wait by which an attempt is postponed while another waiter reads the lock. */
    private static final int PARTS_FOR_READ = 10;

    private final String name;
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private @Nullable LockSnapshot newest;
    private long unchangedSinceNanos;
    private boolean due;
    private boolean attemptInFlight;
    private OptionalLong beganNanos = OptionalLong.empty();
    private OptionalLong beforeNewestNanos = OptionalLong.empty();
    private long nextAttemptNanos;
    private long waitNanos;
    private int polls;
    private LastKnownState lastSeen = LastKnownState.UNKNOWN;
    private boolean heldHere;
    private OptionalLong releasedRevision = OptionalLong.empty();
    private final WaitingListEntry listEntry = new WaitingListEntry();
    private @Nullable SharedRead read;
    private long readUntilNanos;

    /** The action of the head when its wait is over. */
    public enum HeadAction {
        /** Attempts to acquire the lock. */
        ATTEMPT,
        /** Reads the lock, and others that are due soon. */
        READ_LOCKS,
        /** Reads the tickets before its own. */
        READ_TICKETS,
        /** Reads the lock, to see whether the tickets before its own may be skipped. */
        INSPECT_LOCK,
        /** Renews the tickets of this client. */
        RENEW_TICKETS
    }

    WaiterQueue(String name) {
        this.name = name;
    }

    /** Returns the name of the lock. */
    String name() {
        return name;
    }

    void add(Waiter waiter) {
        waiters.add(waiter);
    }

    /** Returns whether the queue is strictly first come, first served. */
    boolean isFair() {
        return false;
    }

    /** Sorts the waiters; equal ones keep their order. */
    void sort(ToIntFunction<Waiter> position) {
        List<Waiter> sorted =
                waiters.stream().sorted(Comparator.comparingInt(position)).toList();
        waiters.clear();
        waiters.addAll(sorted);
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    Stream<Waiter> waiters() {
        return waiters.stream();
    }

    Optional<Waiter> head() {
        return waiters.stream()
                .filter(waiter -> !waiter.isLast() || isFair())
                .findFirst()
                .or(() -> Optional.ofNullable(waiters.peek()));
    }

    boolean isHead(Waiter waiter) {
        return head().filter(waiter::equals).isPresent();
    }

    int countPoll() {
        return ++polls;
    }

    /** Records a reason for an attempt now. One that arrives during an attempt stays until the next attempt. */
    void makeDue(boolean reason) {
        due |= reason;
        read = reason ? null : read;
    }

    boolean isDue() {
        return due;
    }

    /** Returns how the lock was last seen. */
    LastKnownState lastSeen() {
        return lastSeen;
    }

    /** Returns whether this client holds the lock, as far as is known. */
    boolean isHeldHere() {
        return heldHere;
    }

    void recordState(LastKnownState seen, boolean isHeldHere) {
        lastSeen = seen;
        heldHere = isHeldHere;
        releasedRevision = OptionalLong.empty();
    }

    /** Records that the lock was released, and not acquired since, as far as is known. */
    final void recordRelease(OptionalLong revision) {
        recordState(LastKnownState.NOTIFIED_FREE, false);
        releasedRevision = revision;
    }

    /** Returns the revision of the lock after the release that was the newest information about it; empty if unknown. */
    OptionalLong releasedRevision() {
        return releasedRevision;
    }

    /**
     * Records that a change stream reports a release.
     *
     * @return what the head does now
     */
    Turn released(Release release, long nowNanos) {
        return claimed(listEntry.released(release));
    }

    private Turn claimed(Turn turn) {
        if (turn == Turn.CLAIM) {
            recordRelease(listEntry.releasedRevision());
        }
        return turn;
    }

    /** Records that releases may have been missed: what is known from events is no longer valid. */
    void forgetEvents() {
        listEntry.forget();
    }

    /** Returns the entry of this client in the list of waiting clients. */
    WaitingListEntry listEntry() {
        return listEntry;
    }

    /**
     * Returns whether the next attempt of the head adds this client to the list of waiting clients if it finds the lock held.
     * As long as only this client holds the lock and waits for it, nobody needs a list.
     */
    boolean mayJoinList() {
        boolean mayBeHeld = lastSeen == LastKnownState.HELD || lastSeen == LastKnownState.FREE;
        return !isFair() && !listEntry.isListed() && mayBeHeld && (!heldHere || listEntry.othersWait());
    }

    /** Records that an attempt begins. Only the head updates the shared state. */
    void beginAttempt(Waiter waiter, long nowNanos) {
        if (isHead(waiter)) {
            due = false;
            attemptInFlight = true;
            beganNanos = OptionalLong.of(nowNanos);
            read = null;
        }
    }

    /** Returns when the attempt of the head began, or the read instead of it, whose reply is recorded; empty if none is. */
    OptionalLong beganNanos() {
        return beganNanos;
    }

    /**
     * Returns whether a read of the lock may replace the next attempt of its head: only the time is a reason for it, it is
     * due in the last part of the wait, and the lock was last seen held.
     */
    boolean isReadable(long nowNanos) {
        boolean isSoon = nowNanos - nextAttemptNanos + waitNanos / PARTS_READ_EARLY >= 0;
        boolean isRead = read != null && nowNanos - readUntilNanos < 0;
        return isSoon && !isRead && !due && !attemptInFlight && lastSeen == LastKnownState.HELD && !isEmpty();
    }

    /** Returns how long it is until the next attempt, less than zero if it is overdue. */
    long untilAttempt(long nowNanos) {
        return nextAttemptNanos - nowNanos;
    }

    /** Records that another waiter reads the lock. If that does not end soon, the head makes its attempt. */
    void beginRead(SharedRead by, long nowNanos) {
        read = by;
        beganNanos = OptionalLong.of(nowNanos);
        readUntilNanos = nowNanos + waitNanos / PARTS_FOR_READ;
        nextAttemptNanos = readUntilNanos - nextAttemptNanos > 0 ? readUntilNanos : nextAttemptNanos;
    }

    /** Returns whether nothing has happened since the read began, and ends it. */
    boolean endRead(SharedRead by) {
        boolean isValid = read == by;
        read = isValid ? null : read;
        return isValid && !isEmpty();
    }

    /** Records that the head got a reply. */
    void endAttempt() {
        attemptInFlight = false;
        beganNanos = OptionalLong.empty();
    }

    /**
     * Records the reply to an attempt that did not acquire the lock.
     *
     * @return what the head does now
     */
    Turn contended(Waiter waiter, LockOutcome.Contended seen, long nowNanos) {
        if (isHead(waiter)) {
            unchangedSinceNanos = isUnchanged(seen.holder()) ? unchangedSinceNanos : nowNanos;
            newest = seen.holder();
            beforeNewestNanos = beganNanos;
        }
        return isHead(waiter) || seen.place().isPresent() ? claimed(listEntry.contended(seen)) : Turn.NONE;
    }

    /**
     * Records that an attempt ended without a reply that shows the lock.
     *
     * @return what the head does now
     */
    Turn unanswered(Waiter waiter) {
        return isHead(waiter) ? claimed(listEntry.unanswered()) : Turn.NONE;
    }

    /** Sets the latest time of the head's next attempt. */
    void scheduleAttempt(Waiter waiter, long nowNanos, Duration delay) {
        if (isHead(waiter)) {
            endAttempt();
            waitNanos = delay.toNanos();
            nextAttemptNanos = nowNanos + waitNanos;
        }
    }

    /** Makes the next attempt of the head due after a delay, unless it is due earlier. */
    void attemptWithin(long nowNanos, Duration delay) {
        if (nowNanos + delay.toNanos() - nextAttemptNanos < 0) {
            postponeAttempt(nowNanos, delay);
        }
    }

    /** Makes the next attempt of the head due after a delay. */
    void postponeAttempt(long nowNanos, Duration delay) {
        waitNanos = delay.toNanos();
        nextAttemptNanos = nowNanos + waitNanos;
    }

    /** Records that a waiter of this queue holds the lock now. */
    void granted(Waiter waiter, long nowNanos, Duration delay) {
        scheduleAttempt(waiter, nowNanos, delay);
        polls = 0;
    }

    /**
     * Removes a waiter, and returns whether it was the head. The reply that it no longer receives may have been that
     * the lock is free.
     */
    boolean remove(Waiter waiter) {
        boolean wasHead = isHead(waiter);
        if (wasHead) {
            due |= attemptInFlight;
            endAttempt();
        }
        waiters.remove(waiter);
        return wasHead;
    }

    /** Returns how long the head waits until its next action. */
    Duration headDelay(long nowNanos) {
        return due ? Duration.ZERO : Duration.ofNanos(Math.max(0, nextAttemptNanos - nowNanos));
    }

    /** Returns the action of the head when its wait is over. */
    HeadAction headAction(long nowNanos) {
        return HeadAction.ATTEMPT;
    }

    /** Returns whether the head may attempt to acquire the lock. */
    boolean headMayAttempt() {
        return true;
    }

    /** Returns the lock as last seen by a head, and for how long it has not changed by this client's clock. */
    Optional<Observation> observed(long nowNanos) {
        LockSnapshot seen = newest;
        return seen == null
                ? Optional.empty()
                : Optional.of(new Observation(seen, Duration.ofNanos(nowNanos - unchangedSinceNanos)));
    }

    /** Returns a time before a release was executed: an attempt that began then has seen an older revision. */
    OptionalLong beforeRelease(Release release) {
        LockSnapshot seen = newest;
        boolean isOlder = seen != null && seen.revision() < release.revision();
        return isOlder ? beforeNewestNanos : OptionalLong.empty();
    }

    private boolean isUnchanged(LockSnapshot now) {
        LockSnapshot before = newest;
        return before != null
                && before.revision() == now.revision()
                && before.holder().equals(now.holder())
                && before.leaseId().equals(now.leaseId());
    }
}
