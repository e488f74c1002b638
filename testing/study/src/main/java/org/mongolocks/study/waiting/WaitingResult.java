package org.mongolocks.study.waiting;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The result of a run.
 *
 * @param commands how many commands the server executed after the warm-up, by name and collection, such as {@code find
 *     locks}, without those of change streams
 * @param streams the use of change streams
 * @param grants how many grants each client got that lives and has asked
 * @param handoversNanos the times from the execution of a release, or the end of a lease, while clients waited to the
 *     execution of the next grant, in ascending order
 * @param longestWaitNanos the longest time that an acquisition waited, unless it gave up
 * @param overtakings how many grants another acquisition had waited for longer
 */
public record WaitingResult(
        WaitingCase its,
        Map<String, Long> commands,
        Streams streams,
        Map<Integer, Integer> grants,
        List<Long> handoversNanos,
        long longestWaitNanos,
        long overtakings) {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final long LONGEST_TO_A_LIVING_NANOS = 200_000_000;
    /** The time in which a client claims its turn, and two messages. */
    static final long LATE_NANOS = 260_000_000;

    /**
     * The use of change streams.
     *
     * @param commands how many commands were sent; each but the first of a stream is a getMore, which returns events or,
     *     after a second, nothing
     * @param openNanos how long commands were in execution, which is nearly as long as streams were open
     */
    public record Streams(long commands, long openNanos) {}

    /** Returns the measured time in simulated seconds. */
    public double seconds() {
        return its.measured().toMillis() / 1e3;
    }

    /** Returns the number of all grants. */
    public long allGrants() {
        return grants.values().stream().mapToLong(Integer::longValue).sum();
    }

    /** Returns the number of all commands, without those of change streams. */
    public long allCommands() {
        return commands.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the number of commands for each grant, without those of change streams; empty without a grant. */
    public OptionalDouble commandsPerGrant() {
        return perGrant(allCommands());
    }

    /** Returns the number of commands of change streams for each grant, besides one a second of each client; empty without a grant. */
    public OptionalDouble streamCommandsPerGrant() {
        return perGrant(streams.commands() - (long) (its.clients() * seconds()));
    }

    private OptionalDouble perGrant(long number) {
        return allGrants() == 0 ? OptionalDouble.empty() : OptionalDouble.of(number / (double) allGrants());
    }

    /**
     * Returns a quantile of the hand-overs.
     *
     * @param quantile from 0, the shortest, to 1, the longest
     * @return milliseconds; empty if there was none
     */
    public OptionalDouble handoverMillis(double quantile) {
        int last = handoversNanos.size() - 1;
        return last < 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(handoversNanos.get((int) Math.round(quantile * last)) / NANOS_PER_MILLI);
    }

    /** Returns whether a hand-over took so long that it has waited for a dead client. */
    static boolean isPause(long handoverNanos) {
        return handoverNanos > LONGEST_TO_A_LIVING_NANOS;
    }

    /** Returns the least number of grants that a client got. */
    public int leastGrants() {
        return Collections.min(grants.values());
    }

    /** Returns how many hand-overs took longer than a client may claim its turn. */
    public long lateHandovers() {
        return handoversNanos.stream().filter(each -> each > LATE_NANOS).count();
    }

    /** Returns the share of the time for which a client had no change stream, from 0 to 1. */
    public double withoutStream() {
        return 1 - streams.openNanos() / (seconds() * 1e9 * its.clients());
    }

    /** Returns how many grants a client with a change stream got for each grant of the client without; infinite for none. */
    public double grantsForOneOfPoller() {
        double ofPoller = grants.getOrDefault(WaitingWorkers.POLLER, 0);
        return (allGrants() - ofPoller) / (its.clients() - 1) / ofPoller;
    }
}
