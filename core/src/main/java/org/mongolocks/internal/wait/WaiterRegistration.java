package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.LastKnownState;
import org.mongolocks.spi.Observation;

/**
 * The registration of one acquisition in a waiter queue: none yet, or in the queue of the contended lock. One object
 * serves one run.
 */
public final class WaiterRegistration {
    private final WaiterQueues room;
    private LockName awaited;
    private @Nullable Waiter place;

    public WaiterRegistration(WaiterQueues room, LockName name) {
        this.room = room;
        this.awaited = name;
    }

    /** Joins the waiters of the lock; false if there are none. */
    public boolean join() {
        place = room.join(awaited).orElse(null);
        return place != null;
    }

    /** Takes the place of a ticket. */
    public void at(Waiter taken) {
        place = taken;
    }

    /** Returns the name of the contended lock. */
    public LockName awaited() {
        return awaited;
    }

    /** If there are several locks, another one may be contended now. */
    public void contended(LockSnapshot holder) {
        if (!holder.name().equals(awaited)) {
            leave(Optional.empty());
            place = null;
            awaited = holder.name();
        }
        inLine().contended(holder);
    }

    /** Another owner is about to acquire the lock, or holds it by now. */
    public void foundBusy() {
        room.recordState(awaited, LastKnownState.HELD);
    }

    /** Records that the attempt lost every race. */
    public void lostRace() {
        inLine().lostRace();
    }

    public Waiter.NextAction turn() {
        return inLine().turn();
    }

    /** Records that this waiter makes an attempt now, and returns what is known of the lock. */
    public Optional<Observation> asks(long nowNanos) {
        if (place == null) {
            return Optional.empty();
        }
        place.asks();
        return place.observed(nowNanos);
    }

    /** Returns how this client last saw the lock; attempts of this queue are newer than that. */
    public LastKnownState lastSeen() {
        return room.lastSeen(awaited);
    }

    /** Returns the newest known state of the lock. */
    public LockSnapshot newest(long nowNanos) {
        LockSnapshot unknown = LockSnapshot.unused(awaited);
        return inLine().observed(nowNanos).map(Observation::snapshot).orElse(unknown);
    }

    /** Returns how long to wait until the next action, at most the time left. */
    public Duration waitAtMost(Waiter.NextAction turn, Duration left) {
        room.ensureWatching();
        return turn.waitAtMost(left);
    }

    /** Lets others in the queue make attempts first from now on. */
    public void passTurn() {
        room.moveToEnd(inLine());
    }

    /** Leaves the queue, with the lock or without. Further calls have no effect. */
    public void leave(Optional<Lease> granted) {
        if (place != null) {
            place.leave(granted);
        }
    }

    private Waiter inLine() {
        Waiter mine = place == null ? room.enter(awaited) : place;
        place = mine;
        return mine;
    }
}
