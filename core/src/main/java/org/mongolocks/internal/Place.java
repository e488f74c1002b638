package org.mongolocks.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.mongolocks.Lease;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.Observation;

/** Is where one acquisition stands in its line, from when it entered until it leaves. */
final class Place {
    private final WaitingRoom room;
    private final WaitingLine line;
    private CompletableFuture<Void> signal = new CompletableFuture<>();

    Place(WaitingRoom room, WaitingLine line) {
        this.room = room;
        this.line = line;
    }

    /**
     * Tells whether it is this one's turn to ask the server.
     *
     * @param isFirst whether nobody stands before it
     * @param patience how long the first waits before it asks; zero if there is a reason to ask now
     * @param signal completes when it is worth looking again; a new one for each look, so that nothing piles up on it
     */
    record Turn(boolean isFirst, Duration patience, CompletableFuture<Void> signal) {
        boolean isNow() {
            return isFirst && patience.isZero();
        }

        /** Gives how long to wait at most for the signal. */
        Duration waitAtMost(Duration left) {
            return isFirst && patience.compareTo(left) < 0 ? patience : left;
        }
    }

    Turn turn() {
        synchronized (room) {
            signal = new CompletableFuture<>();
            return new Turn(line.isFirst(this), line.patience(room.nanoTime()), signal);
        }
    }

    /** Notes that this one, the first, asks the server now. */
    void asks() {
        room.asks(line);
    }

    /** Notes that another has the lock. */
    void contended(LockSnapshot holder) {
        room.contended(this, holder);
    }

    /** Notes that others were faster. */
    void outrun() {
        room.outrun(this);
    }

    /** Tells for how long the lock has stood still, as anybody in this line saw it. */
    Optional<Observation> observed(long nowNanos) {
        synchronized (room) {
            return line.observed(nowNanos);
        }
    }

    /** Leaves, with the lock or without. It is harmless to leave again. */
    void leave(Optional<Lease> granted) {
        room.leave(this, granted);
    }

    WaitingLine line() {
        return line;
    }

    CompletableFuture<Void> signal() {
        return signal;
    }
}
