package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.internal.wait.ReleaseEvents.Release;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.AcquireContext.Observation;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Turn;

/**
 * The waiters of one client that share a number in the list of a lock: those without {@code fair()} share one, each other has
 * its own. Only the head makes attempts; all share what its replies show. The list decides when it is granted the lock:
 * the queue only knows the position from the last reply or event, and when to look again. Guarded by its
 * {@link WaiterQueues}.
 */
final class WaiterQueue {
    private final LockName name;
    private final long number;
    private final boolean isShared;
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private @Nullable LockSnapshot newest;
    private long unchangedSinceNanos;
    private LastKnownState lastSeen = LastKnownState.UNKNOWN;
    private boolean heldHere;
    private OptionalLong releasedRevision = OptionalLong.empty();

    private boolean due;
    private @Nullable Waiter attempting;
    private OptionalLong beganNanos = OptionalLong.empty();
    private long nextNanos;
    private boolean attemptsNext;
    private OptionalLong lookAgainNanos = OptionalLong.empty();
    private int polls;

    private final ListEntry entry = new ListEntry();
    private @Nullable Release whileInFlight;
    private Claim claim = Claim.NONE;

    /** Whether an event has given this queue its turn. */
    private enum Claim {
        NONE,
        /** The next attempt claims the lock. */
        DUE,
        /** The attempt under way does. */
        UNDER_WAY,
        /** It does for the second time, since it conflicted with another write: probably of a waiter that joined the list. */
        REPEATED
    }

    /**
     * Creates an empty queue.
     *
     * @param number its number in the list
     * @param isShared whether all waiters without a fair request share this queue
     */
    WaiterQueue(LockName name, long number, boolean isShared) {
        this.name = name;
        this.number = number;
        this.isShared = isShared;
    }

    LockName name() {
        return name;
    }

    long number() {
        return number;
    }

    ListEntry entry() {
        return entry;
    }

    void add(Waiter added) {
        waiters.add(added);
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    Stream<Waiter> waiters() {
        return waiters.stream();
    }

    Optional<Waiter> head() {
        return waiters.stream()
                .filter(one -> !one.hasYielded())
                .findFirst()
                .or(() -> Optional.ofNullable(waiters.peek()));
    }

    boolean isHead(Waiter one) {
        return head().filter(one::equals).isPresent();
    }

    int countPoll() {
        return ++polls;
    }

    /** Records a reason for an attempt now. One that arrives during an attempt stays until the next attempt. */
    void makeDue() {
        due = true;
        lookAgainNanos = OptionalLong.empty();
    }

    boolean isDue() {
        return due;
    }

    /** Returns how the lock was last seen. */
    LastKnownState lastSeen() {
        return lastSeen;
    }

    void recordState(LastKnownState seen, boolean isHeldHere) {
        lastSeen = seen;
        heldHere = isHeldHere;
        releasedRevision = OptionalLong.empty();
    }

    /** Returns the revision of the lock after the release that was the newest information about it; empty if unknown. */
    OptionalLong releasedRevision() {
        return releasedRevision;
    }

    /**
     * Returns whether the next attempt is made with the number of this queue. As long as only this client holds the lock
     * and waits for it, a release wakes the head without a list.
     */
    boolean usesList() {
        return !isShared || !heldHere || entry.othersWait() || entry.mayBeStored();
    }

    /** Records that an attempt begins. Only the head updates the shared state. */
    void beginAttempt(Waiter one, long nowNanos) {
        if (isHead(one)) {
            due = false;
            attempting = one;
            beganNanos = OptionalLong.of(nowNanos);
            lookAgainNanos = OptionalLong.empty();
            claim = claim == Claim.DUE ? Claim.UNDER_WAY : claim;
        }
    }

    /** Returns when the attempt of the head began, or the read instead of it, whose reply is recorded; empty if none is. */
    OptionalLong beganNanos() {
        return beganNanos;
    }

    /** Returns whether an event has caused the attempt under way. */
    boolean isClaiming() {
        return claim == Claim.UNDER_WAY || claim == Claim.REPEATED;
    }

    /** Returns whether to repeat at once an attempt in the turn of this queue that conflicted with another write: once. */
    boolean claimsAgain() {
        boolean claimsAgain = claim == Claim.UNDER_WAY;
        claim = claimsAgain ? Claim.REPEATED : claim;
        return claimsAgain;
    }

    /** Returns whether the next action of the head is a read of the lock, not an attempt: only the time is a reason for it. */
    boolean isReadNext() {
        return !due && !attemptsNext && lastSeen == LastKnownState.HELD;
    }

    /** Returns how long it is until the next action, less than zero if it is overdue. */
    long untilNext(long nowNanos) {
        return nextNanos - nowNanos;
    }

    /** Returns whether a reply to this waiter is the newest information about the lock. */
    boolean isAnswered(Waiter one) {
        return attempting == null ? isHead(one) : attempting == one;
    }

    /** Records that the head got a reply, and returns the release whose event has come meanwhile. */
    Optional<Release> endAttempt() {
        Optional<Release> missed = Optional.ofNullable(whileInFlight);
        attempting = null;
        entry.endAttempt();
        beganNanos = OptionalLong.empty();
        whileInFlight = null;
        claim = claim == Claim.DUE ? claim : Claim.NONE;
        return missed;
    }

    /** Records what a reply shows of the lock and of the list. */
    void recordReply(LockOutcome.Contended seen, long nowNanos) {
        LockSnapshot lock = seen.lock();
        unchangedSinceNanos = isUnchanged(lock) ? unchangedSinceNanos : nowNanos;
        newest = lock;
        entry.recordReply(seen);
        polls = entry.moves() > 0 ? 0 : polls;
    }

    /**
     * Records that a change stream reports a release, and returns whether it is news. One that arrives during an
     * attempt is handled after the reply.
     */
    boolean released(Release release, long nowNanos) {
        LockSnapshot seen = newest;
        if (attempting != null) {
            whileInFlight = release;
            return false;
        }
        if (seen != null && release.revision() > 0 && release.revision() < seen.revision()) {
            return false;
        }
        int now = release.turn().indexOf(number);
        polls = 0;
        boolean isRepeated = entry.recordEvent(release.revision(), seen == null ? 0 : seen.revision());
        if (now > 0 || !release.heldFor().isZero()) {
            int before = Math.max(0, now);
            entry.moveTo(OptionalInt.of(before));
            recordState(LastKnownState.HELD, false);
            Duration after = Turn.ofHeld(before, release.heldFor()).after();
            // MongoDB 4.4 reports each change of the list of a free lock.
            if (!isRepeated || untilNext(nowNanos) > after.toNanos()) {
                actAfter(nowNanos, after, now <= 0);
            }
            return true;
        }
        recordState(LastKnownState.BECAME_FREE, false);
        releasedRevision = release.revision() > 0 ? OptionalLong.of(release.revision()) : OptionalLong.empty();
        entry.moveTo(now < 0 ? OptionalInt.empty() : OptionalInt.of(0));
        claim = Claim.DUE;
        makeDue();
        return true;
    }

    /** Records that this client holds the lock. */
    void granted(int waitersLeft) {
        entry.granted(waitersLeft);
        polls = 0;
    }

    /**
     * Sets the latest time of the next action of the head.
     *
     * @param attempts whether it is an attempt, also if only the time is a reason for it
     */
    void actAfter(long nowNanos, Duration delay, boolean attempts) {
        nextNanos = nowNanos + delay.toNanos();
        attemptsNext = attempts;
        OptionalLong again = lookAgainNanos;
        lookAgainNanos = OptionalLong.empty();
        again.ifPresent(at -> readWithin(nowNanos, Duration.ofNanos(Math.max(0, at - nowNanos))));
    }

    /**
     * Has the lock read after a delay, unless an action is due earlier. The reply to an action under way may be older than
     * the reason for the read: the read follows it, unless that reply is a reason for an attempt.
     */
    void readWithin(long nowNanos, Duration delay) {
        if (attempting != null) {
            lookAgainNanos = OptionalLong.of(nowNanos + delay.toNanos());
        } else if (nowNanos + delay.toNanos() - nextNanos < 0) {
            actAfter(nowNanos, delay, false);
        }
    }

    /**
     * Removes a waiter, and returns whether the head must compute its next action. The reply that the removed waiter no
     * longer receives may have been that the lock is free.
     */
    boolean remove(Waiter one, long nowNanos) {
        boolean wasHead = isHead(one);
        boolean wasAttempting = attempting == one;
        if (wasAttempting) {
            due = true;
            endAttempt().ifPresent(release -> released(release, nowNanos));
        }
        waiters.remove(one);
        return wasHead || wasAttempting;
    }

    /** Returns how long the head waits until its next action. */
    Duration headDelay(long nowNanos) {
        return due ? Duration.ZERO : Duration.ofNanos(Math.max(0, nextNanos - nowNanos));
    }

    /** Returns the lock as last seen by a head, and for how long it has not changed by this client's clock. */
    Optional<Observation> observed(long nowNanos) {
        LockSnapshot seen = newest;
        return seen == null
                ? Optional.empty()
                : Optional.of(new Observation(seen, Duration.ofNanos(nowNanos - unchangedSinceNanos)));
    }

    private boolean isUnchanged(LockSnapshot now) {
        LockSnapshot before = newest;
        return before != null
                && before.revision() == now.revision()
                && before.holder().equals(now.holder())
                && before.leaseId().equals(now.leaseId());
    }
}
