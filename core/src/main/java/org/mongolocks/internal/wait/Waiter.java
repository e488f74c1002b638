package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.mongolocks.Lease;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.Observation;

/** The entry of one waiter in a local queue, from joining to leaving. */
public final class Waiter {
    private final WaiterQueues room;
    private final WaiterQueue line;
    private final Optional<QueueTicket> ticket;
    private boolean leaving;
    private boolean isLast;
    private CompletableFuture<Void> signal = new CompletableFuture<>();

    Waiter(WaiterQueues room, WaiterQueue line, Optional<QueueTicket> ticket) {
        this.room = room;
        this.line = line;
        this.ticket = ticket;
    }

    /**
     * The next action of a waiter.
     *
     * @param isFirst whether it is the head of the queue in this client
     * @param mayAsk whether it may attempt to acquire the lock
     * @param isPoll whether the only reason for an attempt now is the polling interval
     * @param duty the action of the head when its wait is over
     * @param patience how long the head waits before that; zero if it should act now
     * @param signal completes when the next action should be computed; a new one each time, so that callbacks do not
     *     accumulate
     */
    public record NextAction(
            boolean isFirst,
            boolean mayAsk,
            boolean isPoll,
            WaiterQueue.HeadAction duty,
            Duration patience,
            CompletableFuture<Void> signal) {
        public boolean isNow() {
            return isFirst && patience.isZero();
        }

        /** Returns how long to wait at most for the signal. */
        Duration waitAtMost(Duration left) {
            return isFirst && patience.compareTo(left) < 0 ? patience : left;
        }
    }

    NextAction turn() {
        synchronized (room) {
            signal = new CompletableFuture<>();
            long now = room.nanoTime();
            boolean isFirst = line.isFirst(this);
            WaiterQueue.HeadAction duty = line.duty(now);
            boolean isPoll = duty == WaiterQueue.HeadAction.ASK && !line.isDue();
            return new NextAction(isFirst, isFirst && line.mayAsk(), isPoll, duty, line.patience(now), signal);
        }
    }

    /** Records that this waiter makes an attempt now. */
    void asks() {
        room.beginAttempt(this);
    }

    /** Returns its ticket, if it is in the server queue and not being removed. */
    Optional<QueueTicket> ticket() {
        return leaving ? Optional.empty() : ticket;
    }

    /** Returns whether all others in a queue without tickets go before it, even if they joined later. */
    boolean isLast() {
        return isLast;
    }

    void moveToEnd() {
        isLast = true;
    }

    /** Records that its ticket is being removed, so that it is not renewed. */
    void leaving() {
        synchronized (room) {
            leaving = true;
        }
    }

    /** Records that another owner holds the lock. */
    void contended(LockSnapshot holder) {
        room.contended(this, holder);
    }

    /** Records that the attempt lost every race. */
    void lostRace() {
        room.lostRace(this);
    }

    /** Returns for how long the lock has not changed, as seen by any waiter of this queue. */
    Optional<Observation> observed(long nowNanos) {
        synchronized (room) {
            return line.observed(nowNanos);
        }
    }

    /** Leaves the queue, with the lock or without. Further calls have no effect. */
    void leave(Optional<Lease> granted) {
        room.leave(this, granted);
    }

    WaiterQueue line() {
        return line;
    }

    CompletableFuture<Void> signal() {
        return signal;
    }
}
