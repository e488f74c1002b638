package org.mongolocks.study.history;

import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * Is one sending of a command to the server, and what became of it. A command that the driver repeats is a sending each time.
 *
 * @param process who sent it
 * @param grant which acquisition of the run it belongs to; 0 if none
 * @param name the command
 * @param about the collection and a short filter, for people
 * @param sending how often this command was sent, this time included
 * @param way when it was where
 * @param result what the server replied, for people; empty if it did not
 */
public record Command(int process, int grant, String name, String about, int sending, Way way, String result) {

    /** Stands for a moment that never came. */
    public static final long NEVER = -1;

    /** Says which message was lost. */
    public enum Loss {
        /** None. */
        NONE,
        /** The command; the server never saw it. */
        REQUEST,
        /** The reply; the server has executed the command. */
        REPLY,
        /** None, but the server was not there, or went away before it replied. */
        SERVER
    }

    /**
     * Says when a command was where, in nanoseconds of the observer; {@link #NEVER} if it was not.
     *
     * @param sentNanos when it was sent
     * @param executedNanos when it arrived at the server, which executes it
     * @param repliedNanos when the server replied
     * @param heardNanos when the reply arrived at a client that runs
     * @param givenUpNanos when the client saw an error of the network instead of a reply
     * @param loss what was lost
     */
    public record Way(
            long sentNanos, long executedNanos, long repliedNanos, long heardNanos, long givenUpNanos, Loss loss) {
        /** Lists the moments that came. */
        LongStream moments() {
            return LongStream.of(sentNanos, executedNanos, repliedNanos, heardNanos, givenUpNanos)
                    .filter(nanos -> nanos != NEVER);
        }
    }

    /**
     * Tells when it was sent.
     *
     * @return nanoseconds of the observer
     */
    public long sentNanos() {
        return way.sentNanos();
    }

    /**
     * Lists when something happened to it.
     *
     * @return nanoseconds of the observer
     */
    public LongStream moments() {
        return way.moments();
    }

    /**
     * Tells when the server had it.
     *
     * @return nanoseconds of the observer; empty if it never did
     */
    public OptionalLong executedNanos() {
        return way.executedNanos() == NEVER ? OptionalLong.empty() : OptionalLong.of(way.executedNanos());
    }

    /**
     * Tells whether it went as it should: it was executed and answered, and the client waited for the answer.
     *
     * @return false if anything was lost, late or too late
     */
    public boolean isPlain() {
        return way.heardNanos() != NEVER && way.givenUpNanos() == NEVER && sending == 1;
    }

    /**
     * Tells whether it reached the server only after the client had given it up.
     *
     * @return true if it was late
     */
    public boolean isLate() {
        return way.givenUpNanos() != NEVER && way.executedNanos() > way.givenUpNanos();
    }
}
