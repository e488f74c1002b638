package org.mongolocks.internal.run;

import java.util.Optional;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.wait.EventLag;
import org.mongolocks.spi.Reply;

/**
 * The observers of the commands of one client: they detect a shortage of connections and clock jumps, and record what
 * is needed to measure how late events are. Thread-safe.
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
     * Returns the observers of a lock client.
     *
     * @param shortage observes the pool of the driver's client
     * @param clocks compares the clocks
     * @param lag measures how late events are
     * @return the observers
     */
    public static CommandWatch of(ConnectionShortage shortage, ClockSentinel clocks, EventLag lag) {
        return new CommandWatch(shortage, Optional.of(clocks), Optional.of(lag));
    }

    /**
     * Returns the observers of programs without a lock client.
     *
     * @param shortage observes the pool of the driver's client
     * @return the observers
     */
    public static CommandWatch ofPrograms(ConnectionShortage shortage) {
        return new CommandWatch(shortage, Optional.empty(), Optional.empty());
    }

    /**
     * Records that a command begins.
     *
     * @return the command
     */
    public Sent sending() {
        Sent sent = new Sent(clocks.map(ClockSentinel::sending));
        shortage.commandBegan();
        return sent;
    }

    /** A command in flight. It ends once, with a reply or without. */
    public final class Sent {
        private final Optional<ClockSentinel.RoundTrip> roundTrip;

        private Sent(Optional<ClockSentinel.RoundTrip> roundTrip) {
            this.roundTrip = roundTrip;
        }

        /**
         * Records the reply.
         *
         * @param reply the reply
         * @param operationTime the server's logical time, null if it has none
         */
        public void answered(Reply reply, @Nullable BsonTimestamp operationTime) {
            roundTrip.ifPresent(trip -> trip.answered(reply));
            lag.ifPresent(measure -> measure.heard(reply, operationTime));
        }

        /** Records that the command has ended, with or without a reply. */
        public void ended() {
            shortage.commandEnded();
        }
    }
}
