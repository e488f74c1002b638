package org.mongolocks.study.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

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
 * @param routers how far the clock of each router is ahead of the right time; empty if there is no router
 * @param eventGap how long a router waits for word from an idle shard before it shows the events until then; empty if events
 *     are shown at once
 * @param upsertPause how long an upsert takes from finding nothing to its insert; zero if it is one step
 */
public record Environment(
        Span delay,
        boolean retryWrites,
        int ttlMonitorSeconds,
        Duration replicationLag,
        int connections,
        boolean changeStreams,
        boolean weakForAll,
        List<Duration> routers,
        Optional<Span> eventGap,
        Duration upsertPause) {
    /** A healthy data centre. */
    public static final Environment HEALTHY = new Environment(
            Span.millis(1, 5), true, 60, Duration.ZERO, 100, true, false, List.of(), Optional.empty(), Duration.ZERO);

    /**
     * Changes how long messages travel.
     *
     * @param to how long
     * @return the environment
     */
    public Environment delay(Span to) {
        return new Environment(
                to,
                retryWrites,
                ttlMonitorSeconds,
                replicationLag,
                connections,
                changeStreams,
                weakForAll,
                routers,
                eventGap,
                upsertPause);
    }

    /** Has the drivers repeat no writes. */
    public Environment withoutRetries() {
        return new Environment(
                delay,
                false,
                ttlMonitorSeconds,
                replicationLag,
                connections,
                changeStreams,
                weakForAll,
                routers,
                eventGap,
                upsertPause);
    }

    /**
     * Changes how often expired documents are looked for.
     *
     * @param to how often
     * @return the environment
     */
    public Environment ttlMonitorSeconds(int to) {
        return new Environment(
                delay,
                retryWrites,
                to,
                replicationLag,
                connections,
                changeStreams,
                weakForAll,
                routers,
                eventGap,
                upsertPause);
    }

    /**
     * Has other members, which learn of a write a little later.
     *
     * @param to how much later
     * @return the environment
     */
    public Environment replicationLag(Duration to) {
        return new Environment(
                delay,
                retryWrites,
                ttlMonitorSeconds,
                to,
                connections,
                changeStreams,
                weakForAll,
                routers,
                eventGap,
                upsertPause);
    }

    /**
     * Bounds the connections of a client.
     *
     * @param to how many
     * @return the environment
     */
    public Environment connections(int to) {
        return new Environment(
                delay,
                retryWrites,
                ttlMonitorSeconds,
                replicationLag,
                to,
                changeStreams,
                weakForAll,
                routers,
                eventGap,
                upsertPause);
    }

    /** Has no change streams, as a standalone or a user without the right to watch. */
    public Environment withoutChangeStreams() {
        return new Environment(
                delay,
                retryWrites,
                ttlMonitorSeconds,
                replicationLag,
                connections,
                false,
                weakForAll,
                routers,
                eventGap,
                upsertPause);
    }

    /** Has nobody wait for a majority. */
    public Environment weak() {
        return new Environment(
                delay,
                retryWrites,
                ttlMonitorSeconds,
                replicationLag,
                connections,
                changeStreams,
                true,
                routers,
                eventGap,
                upsertPause);
    }

    /**
     * Has routers, each with a clock of its own. Every command goes to any of them.
     *
     * @param to how far the clock of each is ahead
     * @return the environment
     */
    public Environment routers(List<Duration> to) {
        return new Environment(
                delay,
                retryWrites,
                ttlMonitorSeconds,
                replicationLag,
                connections,
                changeStreams,
                weakForAll,
                to,
                eventGap,
                upsertPause);
    }

    /**
     * Has a router that shows events late, because an idle shard tells it only now and then that it has none.
     *
     * @param to how long it is from one word of that shard to the next
     * @return the environment
     */
    public Environment eventGap(Span to) {
        return new Environment(
                delay,
                retryWrites,
                ttlMonitorSeconds,
                replicationLag,
                connections,
                changeStreams,
                weakForAll,
                routers,
                Optional.of(to),
                upsertPause);
    }

    /**
     * Makes upserts two steps, between which others may insert.
     *
     * @param to how long it is from the first to the second
     * @return the environment
     */
    public Environment upsertPause(Duration to) {
        return new Environment(
                delay,
                retryWrites,
                ttlMonitorSeconds,
                replicationLag,
                connections,
                changeStreams,
                weakForAll,
                routers,
                eventGap,
                to);
    }
}
