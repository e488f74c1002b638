package org.mongolocks.study.history;

import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * One sending of a command to the server, and its outcome. A command that the driver retries is sent several times.
 *
 * @param process the process that sent it
 * @param grant the number of its acquisition in the run; 0 if none
 * @param name the name of the command
 * @param about the collection and a short filter, for readers
 * @param sending how often this command was sent, including this time
 * @param way the times of its request and reply
 * @param result the server's reply, for readers; empty if there was none
 */
public record CommandRecord(int process, int grant, String name, String about, int sending, Way way, String result) {

    /** The time of an event that never happened. */
    public static final long NEVER = -1;

    /** The message that was lost. */
    public enum Loss {
        /** None. */
        NONE,
        /** The request; the server did not receive it. */
        REQUEST,
        /** The reply; the server has executed the command. */
        REPLY,
        /** None, but the server was down, or went down before it replied. */
        SERVER
    }

    /**
     * The times of a command, in nanoseconds of the observer; {@link #NEVER} where it got no further.
     *
     * @param sentNanos when it was sent
     * @param executedNanos when it reached the server, which executes it
     * @param repliedNanos when the server replied
     * @param receivedNanos when the reply reached a running client
     * @param givenUpNanos when the client got a network error instead of a reply
     * @param loss the message that was lost
     */
    public record Way(
            long sentNanos, long executedNanos, long repliedNanos, long receivedNanos, long givenUpNanos, Loss loss) {
        /** Returns the times that are known. */
        LongStream moments() {
            return LongStream.of(sentNanos, executedNanos, repliedNanos, receivedNanos, givenUpNanos)
                    .filter(nanos -> nanos != NEVER);
        }
    }

    /**
     * Returns when it was sent.
     *
     * @return nanoseconds of the observer
     */
    public long sentNanos() {
        return way.sentNanos();
    }

    /**
     * Returns the times of its events.
     *
     * @return nanoseconds of the observer
     */
    public LongStream moments() {
        return way.moments();
    }

    /**
     * Returns when the server executed it.
     *
     * @return nanoseconds of the observer; empty if it did not
     */
    public OptionalLong executedNanos() {
        return way.executedNanos() == NEVER ? OptionalLong.empty() : OptionalLong.of(way.executedNanos());
    }

    /**
     * Returns whether it completed normally: it was executed, and its reply arrived while the client waited.
     *
     * @return false if a message was lost or late
     */
    public boolean isPlain() {
        return way.receivedNanos() != NEVER && way.givenUpNanos() == NEVER && sending == 1;
    }

    /**
     * Returns whether it reached the server after the client had stopped waiting.
     *
     * @return true if it was late
     */
    public boolean isLate() {
        return way.givenUpNanos() != NEVER && way.executedNanos() > way.givenUpNanos();
    }
}
