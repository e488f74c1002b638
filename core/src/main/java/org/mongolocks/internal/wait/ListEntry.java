package org.mongolocks.internal.wait;

import java.util.Optional;
import java.util.OptionalInt;
import org.mongolocks.spi.AcquireContext.Waiter.Entry;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Turn;

/**
 * The entry of one queue in the list of a lock: its position, as the last reply or event showed it, and how fast the list
 * moves. Guarded by its {@link WaiterQueues}.
 */
final class ListEntry {
    /** How many earlier turns count in the time that a waiter takes. */
    private static final int TURNS_REMEMBERED = 4;

    private OptionalInt position = OptionalInt.empty();
    private Optional<Entry> asked = Optional.empty();
    private boolean mayBeStored;
    private boolean othersWait;
    private long eventRevision;
    private long movedNanos;
    private long turnNanos;

    /** Returns the position in the list, as last seen; empty if it is not in the list. */
    OptionalInt position() {
        return position;
    }

    /** Returns how many waiters come before this one, as last seen; zero if it is not in the list. */
    int before() {
        return position.orElse(0);
    }

    /** Returns whether this queue is among the first waiters, which the event of a release shows. */
    boolean isAmongNotified() {
        return position.isPresent() && position.getAsInt() < LockStrategy.NOTIFIED_WAITERS;
    }

    /** Returns whether an event should have shown what a reply shows: a free lock, and a turn near the first. */
    boolean hasMissedEvent(LockOutcome.Contended seen) {
        return isAmongNotified()
                && seen.turn().filter(turn -> !turn.freeFor().isZero()).isPresent()
                && seen.lock().revision() > eventRevision;
    }

    /** Returns whether others wait for the lock, as last seen. */
    boolean othersWait() {
        return othersWait;
    }

    /** Returns whether the list may have the number of this queue. */
    boolean mayBeStored() {
        return mayBeStored;
    }

    /** Records what the attempt that begins now does with this entry. */
    void asks(Entry entry) {
        asked = Optional.of(entry);
        mayBeStored |= entry == Entry.ADD;
    }

    /** Returns what the attempt under way does with this entry; empty if it is made without it. */
    Optional<Entry> asked() {
        return asked;
    }

    void endAttempt() {
        asked = Optional.empty();
    }

    /** Records that the list does not have the number of this queue. */
    void withdrawn() {
        mayBeStored = false;
        position = OptionalInt.empty();
    }

    /** Records that this client holds the lock. */
    void granted(int waitersLeft) {
        withdrawn();
        othersWait = waitersLeft > 0;
    }

    void recordReply(LockOutcome.Contended seen, long nowNanos) {
        moveTo(seen.turn().map(Turn::position).map(OptionalInt::of).orElseGet(OptionalInt::empty), nowNanos);
        mayBeStored |= position.isPresent();
        if (!seen.lock().isHeld()) {
            eventRevision = Math.max(eventRevision, seen.lock().revision());
        }
        othersWait = seen.lock().waiters() > (position.isPresent() ? 1 : 0);
    }

    /** Records the revision of a release, or of a newer reply, and returns whether that release was reported before. */
    boolean recordEvent(long releaseRevision, long seenRevision) {
        boolean isRepeated = releaseRevision > 0 && releaseRevision == eventRevision;
        eventRevision = Math.max(releaseRevision, seenRevision);
        return isRepeated;
    }

    void moveTo(OptionalInt next, long nowNanos) {
        int turns = before() - next.orElse(0);
        turnNanos = turns > 0 ? averageTurn(turns, nowNanos - movedNanos) : 0;
        if (position.isEmpty() || turns > 0) {
            movedNanos = nowNanos;
        }
        position = next;
    }

    /** The newest turns count as much as several before them. */
    private long averageTurn(int turns, long nanos) {
        int earlier = turnNanos == 0 ? 0 : TURNS_REMEMBERED;
        return (turnNanos * earlier + nanos) / (turns + earlier);
    }

    /** Returns how long each waiter before this one took; zero if none has had its turn since the position was seen before. */
    long turnNanos() {
        return turnNanos;
    }

    /** Returns for how long no waiter before this one has had its turn. */
    long unmovedNanos(long nowNanos) {
        return nowNanos - movedNanos;
    }
}
