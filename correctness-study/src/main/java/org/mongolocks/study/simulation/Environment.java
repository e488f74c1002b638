package org.mongolocks.study.simulation;

import java.time.Duration;

/**
 * Says where the clients of a run live.
 *
 * @param delay how long a message travels
 * @param retryWrites whether the drivers repeat writes
 * @param ttlMonitorSeconds how often the server looks for expired documents
 * @param replicationLag how long a write takes to reach a majority; zero for at once
 * @param connections how many connections a client may have
 * @param changeStreams whether the server has change streams
 * @param weakForAll whether nobody waits for a majority, not even who asks for it: a control
 */
public record Environment(
        Span delay,
        boolean retryWrites,
        int ttlMonitorSeconds,
        Duration replicationLag,
        int connections,
        boolean changeStreams,
        boolean weakForAll) {
    /** A healthy data centre. */
    public static final Environment HEALTHY =
            new Environment(Span.millis(1, 5), true, 60, Duration.ZERO, 100, true, false);

    /**
     * Changes how long messages travel.
     *
     * @param to how long
     * @return the environment
     */
    public Environment delay(Span to) {
        return new Environment(
                to, retryWrites, ttlMonitorSeconds, replicationLag, connections, changeStreams, weakForAll);
    }

    /** Has the drivers repeat no writes. */
    public Environment withoutRetries() {
        return new Environment(delay, false, ttlMonitorSeconds, replicationLag, connections, changeStreams, weakForAll);
    }

    /**
     * Changes how often expired documents are looked for.
     *
     * @param to how often
     * @return the environment
     */
    public Environment ttlMonitorSeconds(int to) {
        return new Environment(delay, retryWrites, to, replicationLag, connections, changeStreams, weakForAll);
    }

    /**
     * Has other members, which learn of a write a little later.
     *
     * @param to how much later
     * @return the environment
     */
    public Environment replicationLag(Duration to) {
        return new Environment(delay, retryWrites, ttlMonitorSeconds, to, connections, changeStreams, weakForAll);
    }

    /**
     * Bounds the connections of a client.
     *
     * @param to how many
     * @return the environment
     */
    public Environment connections(int to) {
        return new Environment(delay, retryWrites, ttlMonitorSeconds, replicationLag, to, changeStreams, weakForAll);
    }

    /** Has no change streams, as a standalone or a user without the right to watch. */
    public Environment withoutChangeStreams() {
        return new Environment(delay, retryWrites, ttlMonitorSeconds, replicationLag, connections, false, weakForAll);
    }

    /** Has nobody wait for a majority. */
    public Environment weak() {
        return new Environment(delay, retryWrites, ttlMonitorSeconds, replicationLag, connections, changeStreams, true);
    }
}
