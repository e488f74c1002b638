package org.mongolocks.internal;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.LastSeen;
import org.mongolocks.spi.Observation;

/** Is where one acquisition stands: nowhere yet, or in the line of the lock that is in its way. It serves one run. */
final class Standing {
    private final WaitingRoom room;
    private LockName awaited;
    private @Nullable Place place;

    Standing(WaitingRoom room, LockName name) {
        this.room = room;
        this.awaited = name;
    }

    /** Joins those who wait for the lock; false if there are none. */
    boolean join() {
        place = room.join(awaited).orElse(null);
        return place != null;
    }

    /** Stands where a ticket says. */
    void at(Place taken) {
        place = taken;
    }

    /** Names the lock that is in the way. */
    LockName awaited() {
        return awaited;
    }

    /** Of several locks another one may be in the way now. */
    void contended(LockSnapshot holder) {
        if (!holder.name().equals(awaited)) {
            leave(Optional.empty());
            place = null;
            awaited = holder.name();
        }
        inLine().contended(holder);
    }

    /** Another is about to have the lock, or has it by now. */
    void foundBusy() {
        room.saw(awaited, LastSeen.HELD);
    }

    /** Others were faster. */
    void outrun() {
        inLine().outrun();
    }

    Place.Turn turn() {
        return inLine().turn();
    }

    /** Notes that this one asks now, and gives what is known of the lock. */
    Optional<Observation> asks(long nowNanos) {
        if (place == null) {
            return Optional.empty();
        }
        place.asks();
        return place.observed(nowNanos);
    }

    /** Tells how this client saw the lock last; what an attempt of this line saw is newer than that. */
    LastSeen lastSeen() {
        return room.lastSeen(awaited);
    }

    /** Returns the newest that is known of the lock. */
    LockSnapshot newest(long nowNanos) {
        LockSnapshot unknown = LockSnapshot.unused(awaited);
        return inLine().observed(nowNanos).map(Observation::snapshot).orElse(unknown);
    }

    /** Waits until it is worth looking again, and not longer than is left. */
    Duration waitAtMost(Place.Turn turn, Duration left) {
        room.waits();
        return turn.waitAtMost(left);
    }

    /** Has others in the line ask first from now on. */
    void letOthersAsk() {
        room.goesLast(inLine());
    }

    /** Leaves, with the lock or without. It is harmless to leave again. */
    void leave(Optional<Lease> granted) {
        if (place != null) {
            place.leave(granted);
        }
    }

    private Place inLine() {
        Place mine = place == null ? room.enter(awaited) : place;
        place = mine;
        return mine;
    }
}
