package org.mongolocks.internal;

import java.util.Optional;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;
import org.mongolocks.spi.Reply;

/**
 * What one client learns from its commands besides their replies: whether they lack a connection, whether a clock has
 * jumped, and what is to be known for judging how late events are. Thread-safe.
 */
public final class CommandWatch {
    private final ConnectionShortage shortage;
    private final Optional<ClockSentinel> clocks;
    private final Optional<EventLag> lag;

    private CommandWatch(ConnectionShortage shortage, Optional<ClockSentinel> clocks, Optional<EventLag> lag) {
        this.shortage = shortage;
        this.clocks = clocks;
        this.lag = lag;
    }

    /**
     * Watches the commands of a lock client.
     *
     * @param shortage what is known of the pool of the driver's client
     * @param clocks compares the clocks
     * @param lag measures how late events are
     * @return the watch
     */
    public static CommandWatch of(ConnectionShortage shortage, ClockSentinel clocks, EventLag lag) {
        return new CommandWatch(shortage, Optional.of(clocks), Optional.of(lag));
    }

    /**
     * Watches the commands of programs that have no lock client.
     *
     * @param shortage what is known of the pool of the driver's client
     * @return the watch
     */
    public static CommandWatch ofPrograms(ConnectionShortage shortage) {
        return new CommandWatch(shortage, Optional.empty(), Optional.empty());
    }

    /**
     * Notes that a command begins.
     *
     * @return the command
     */
    public Sent sending() {
        Sent sent = new Sent(clocks.map(ClockSentinel::sending));
        shortage.commandBegan();
        return sent;
    }

    /** A command on its way. It ends once, with a reply or without. */
    public final class Sent {
        private final Optional<ClockSentinel.RoundTrip> roundTrip;

        private Sent(Optional<ClockSentinel.RoundTrip> roundTrip) {
            this.roundTrip = roundTrip;
        }

        /**
         * Notes the reply.
         *
         * @param reply what the server answered
         * @param operationTime the server's logical time, null if it has none
         */
        public void answered(Reply reply, @Nullable BsonTimestamp operationTime) {
            roundTrip.ifPresent(trip -> trip.answered(reply));
            lag.ifPresent(measure -> measure.heard(reply, operationTime));
        }

        /** Notes that the command has ended, whatever came of it. */
        public void ended() {
            shortage.commandEnded();
        }
    }
}
