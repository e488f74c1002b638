package org.mongolocks.internal.run;

import com.mongodb.MongoException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.wait.EventLag;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.SchemaOp;

/**
 * A tracker of what one client has in flight: its sessions, for whose end the close of the client waits, and the
 * commands in them. It decides what a missing reply means, and it passes the time, the end and the reply of each command
 * to the measurements of the client: of the connections, the clocks and the events. Thread-safe.
 *
 * <p>A write without a reply is judged by the transaction number of its session. The driver numbers a retryable write
 * when it has found a server and a connection for it, just before the send; and in one session a server refuses a write
 * whose number is below the newest. So, on a client whose writes are numbered, a write without a number was never sent,
 * and one with a number cannot be executed late. On a client whose writes are not numbered ({@code retryWrites=false},
 * a standalone) neither is known. A read without a reply changes nothing.
 */
public final class CommandTracker {
    private final ConnectionShortage shortage;
    private final Optional<ClockSentinel> clocks;
    private final Optional<EventLag> lag;
    private final List<CompletableFuture<Void>> awaitingIdle = new ArrayList<>();
    private int sessions;
    private volatile boolean numbersWrites;

    private CommandTracker(ConnectionShortage shortage, Optional<ClockSentinel> clocks, Optional<EventLag> lag) {
        this.shortage = shortage;
        this.clocks = clocks;
        this.lag = lag;
    }

    /**
     * Returns the tracker of a lock client.
     *
     * @param shortage observes the pool of the driver's client
     * @param clocks compares the clocks
     * @param lag measures how late events are
     * @return a tracker that has seen no command yet
     */
    public static CommandTracker of(ConnectionShortage shortage, ClockSentinel clocks, EventLag lag) {
        return new CommandTracker(shortage, Optional.of(clocks), Optional.of(lag));
    }

    /**
     * Returns the tracker of programs without a lock client.
     *
     * @param shortage observes the pool of the driver's client
     * @return a tracker that has seen no command yet
     */
    public static CommandTracker ofPrograms(ConnectionShortage shortage) {
        return new CommandTracker(shortage, Optional.empty(), Optional.empty());
    }

    /** Records that a session was opened. */
    public synchronized void sessionOpened() {
        sessions++;
    }

    /** Records that a session was closed. */
    public void sessionClosed() {
        closeSession().forEach(idle -> idle.complete(null));
    }

    /**
     * Returns when no session is open.
     *
     * @return completes at the first moment from now when no session is open
     */
    public synchronized CompletableFuture<Void> idle() {
        CompletableFuture<Void> idle = new CompletableFuture<>();
        if (sessions == 0) {
            idle.complete(null);
        } else {
            awaitingIdle.add(idle);
        }
        return idle;
    }

    private synchronized List<CompletableFuture<Void>> closeSession() {
        sessions--;
        if (sessions > 0) {
            return List.of();
        }
        List<CompletableFuture<Void>> idle = List.copyOf(awaitingIdle);
        awaitingIdle.clear();
        return idle;
    }

    /**
     * Starts to track a command, just before it is sent.
     *
     * @param op the operation
     * @param number returns the transaction number of its session
     * @param inTransaction whether it is a statement of a transaction
     * @return the command
     */
    public Command begin(MongoOp op, LongSupplier number, boolean inTransaction) {
        Command command = new Command(kindOf(op, inTransaction), number, clocks.map(ClockSentinel::sending));
        shortage.commandBegan();
        return command;
    }

    private enum Kind {
        READ,
        PLAIN_WRITE,
        OTHER
    }

    private static Kind kindOf(MongoOp op, boolean inTransaction) {
        if (inTransaction || op instanceof MongoOp.Transaction) {
            return Kind.OTHER;
        }
        if (isRead(op)) {
            return Kind.READ;
        }
        return op instanceof SchemaOp ? Kind.OTHER : Kind.PLAIN_WRITE;
    }

    private static boolean isRead(MongoOp op) {
        return op instanceof MongoOp.FindOne
                || op instanceof MongoOp.FindMany
                || op instanceof MongoOp.Hello
                || op instanceof SchemaOp.ListIndexes
                || op instanceof SchemaOp.ListCollections
                || op instanceof SchemaOp.FindShardKeys;
    }

    /** One command in flight. It gets a reply or fails, and ends once after that. */
    public final class Command {
        private final Kind kind;
        private final LongSupplier number;
        private final long numberBefore;
        private final Optional<ClockSentinel.RoundTrip> roundTrip;

        private Command(Kind kind, LongSupplier number, Optional<ClockSentinel.RoundTrip> roundTrip) {
            this.kind = kind;
            this.number = number;
            this.numberBefore = number.getAsLong();
            this.roundTrip = roundTrip;
        }

        /**
         * Records the reply of the server.
         *
         * @param reply the reply
         * @param operationTime the server's logical time, null if it has none
         */
        public void answered(Reply reply, @Nullable BsonTimestamp operationTime) {
            roundTrip.ifPresent(trip -> trip.answered(reply));
            lag.ifPresent(measure -> measure.recordReply(reply, operationTime));
            isNumbered();
        }

        /**
         * Returns the reply for an exception.
         *
         * @param cause the driver's exception
         * @return the reply
         */
        public Reply.Failed failed(MongoException cause) {
            Fault fault = FaultClassifier.classify(cause);
            if (fault != Fault.AMBIGUOUS || kind == Kind.OTHER) {
                return new Reply.Failed(fault, cause);
            }
            if (kind == Kind.READ) {
                return new Reply.Failed(Fault.TRANSIENT, cause);
            }
            if (isNumbered()) {
                return new Reply.Failed(fault, cause);
            }
            return numbersWrites ? new Reply.Failed(Fault.NOT_SENT, cause) : new Reply.Failed(fault, cause, true);
        }

        /** Records that the command has ended, with or without a reply: its connection is free. */
        public void ended() {
            shortage.commandEnded();
        }

        private boolean isNumbered() {
            boolean numbered = kind == Kind.PLAIN_WRITE && number.getAsLong() != numberBefore;
            if (numbered) {
                numbersWrites = true;
            }
            return numbered;
        }
    }
}
