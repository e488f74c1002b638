package org.mongolocks.internal.wait;

import java.util.Optional;
import java.util.OptionalInt;
import org.mongolocks.spi.AcquireContext.Waiter.Entry;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Turn;

/**
 * The entry of one queue in the list of a lock: its position, as the last reply or event showed it. Guarded by its
 * {@link WaiterQueues}.
 */
final class ListEntry {
    /** More in a row show nothing new. */
    private static final int MAX_MOVES = 8;

    private OptionalInt position = OptionalInt.empty();
    private Optional<Entry> asked = Optional.empty();
    private boolean mayBeStored;
    private boolean othersWait;
    private long eventRevision;
    private int moves;

    /** Returns the position in the list, as last seen; empty if it is not in the list. */
    OptionalInt position() {
        return position;
    }

    /** Returns how many waiters come before this one, as last seen; zero if it is not in the list. */
    int before() {
        return position.orElse(0);
    }

    /** Returns how many replies in a row, up to a limit, showed fewer waiters before this one than the reply before. */
    int moves() {
        return moves;
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

    void recordReply(LockOutcome.Contended seen) {
        int before = before();
        moveTo(seen.turn().map(Turn::position).map(OptionalInt::of).orElseGet(OptionalInt::empty));
        moves = before() < before ? Math.min(moves + 1, MAX_MOVES) : 0;
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

    void moveTo(OptionalInt next) {
        position = next;
    }
}
