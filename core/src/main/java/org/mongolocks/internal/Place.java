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
    private final Optional<Ticket> ticket;
    private boolean leaving;
    private boolean isLast;
    private CompletableFuture<Void> signal = new CompletableFuture<>();

    Place(WaitingRoom room, WaitingLine line, Optional<Ticket> ticket) {
        this.room = room;
        this.line = line;
        this.ticket = ticket;
    }

    /**
     * Tells whether it is this one's turn to ask the server.
     *
     * @param isFirst whether nobody stands before it in this client
     * @param mayAsk whether it may ask for the lock
     * @param isPoll whether nothing but the time is a reason to ask now
     * @param duty what the first does when its patience is over
     * @param patience how long the first waits before that; zero if there is a reason to do it now
     * @param signal completes when it is worth looking again; a new one for each look, so that nothing piles up on it
     */
    record Turn(
            boolean isFirst,
            boolean mayAsk,
            boolean isPoll,
            WaitingLine.Duty duty,
            Duration patience,
            CompletableFuture<Void> signal) {
        boolean isNow() {
            return isFirst && patience.isZero();
        }

        /** Returns how long to wait at most for the signal. */
        Duration waitAtMost(Duration left) {
            return isFirst && patience.compareTo(left) < 0 ? patience : left;
        }
    }

    Turn turn() {
        synchronized (room) {
            signal = new CompletableFuture<>();
            long now = room.nanoTime();
            boolean isFirst = line.isFirst(this);
            WaitingLine.Duty duty = line.duty(now);
            boolean isPoll = duty == WaitingLine.Duty.ASK && !line.isDue();
            return new Turn(isFirst, isFirst && line.mayAsk(), isPoll, duty, line.patience(now), signal);
        }
    }

    /** Notes that this one asks the server now. */
    void asks() {
        room.asks(this);
    }

    /** Returns its ticket, if it stands in the queue and does not leave it. */
    Optional<Ticket> ticket() {
        return leaving ? Optional.empty() : ticket;
    }

    /** Returns whether others in a line without tickets are before it, whenever they came. */
    boolean isLast() {
        return isLast;
    }

    void goesLast() {
        isLast = true;
    }

    /** Notes that its ticket is taken out, so that nobody renews it. */
    void leaving() {
        synchronized (room) {
            leaving = true;
        }
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
