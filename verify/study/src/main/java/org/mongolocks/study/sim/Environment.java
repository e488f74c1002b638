package org.mongolocks.study.sim;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.mongolocks.study.sim.time.DurationRange;

/**
 * The environment of the clients of a run.
 *
 * @param delay the latency of a message
 * @param retryWrites whether the drivers retry writes
 * @param ttlMonitorSeconds how often the server looks for expired documents
 * @param replicationLag the time until a write has reached a majority; zero for at once
 * @param connections the connection limit of a client
 * @param changeStreams whether the server has change streams
 * @param weakForAll whether no write waits for a majority, even if requested: a control
 * @param routers how far the clock of each router is ahead of the correct time; empty if there is no router
 * @param eventGap how long a router waits for an idle shard before it delivers the events until then; empty if events
 *     are delivered at once
 * @param upsertPause the time in an upsert between finding nothing and its insert; zero if it is one step
 */
public record Environment(
        DurationRange delay,
        boolean retryWrites,
        int ttlMonitorSeconds,
        Duration replicationLag,
        int connections,
        boolean changeStreams,
        boolean weakForAll,
        List<Duration> routers,
        Optional<DurationRange> eventGap,
        Duration upsertPause) {
    /** A data center without faults. */
    public static final Environment HEALTHY = new Environment(
            DurationRange.millis(1, 5),
            true,
            60,
            Duration.ZERO,
            100,
            true,
            false,
            List.of(),
            Optional.empty(),
            Duration.ZERO);

    /**
     * Returns this environment with another latency.
     *
     * @param to the latency
     * @return the environment
     */
    public Environment delay(DurationRange to) {
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

    /** Returns this environment with drivers that do not retry writes. */
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
     * Returns this environment with another interval of the TTL monitor.
     *
     * @param to the interval
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
     * Returns this environment with other members, which replicate a write a little later.
     *
     * @param to the replication lag
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
     * Returns this environment with another connection limit of a client.
     *
     * @param to the limit
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

    /** Returns this environment without change streams, as for a standalone or a user without the privilege. */
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

    /** Returns this environment with writes that never wait for a majority. */
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
     * Returns this environment with routers, each with its own clock. Each command goes to any of them.
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
     * Returns this environment with a router that delivers events late, because an idle shard reports only now and then
     * that it has none.
     *
     * @param to the time between two reports of that shard
     * @return the environment
     */
    public Environment eventGap(DurationRange to) {
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
     * Returns this environment with upserts in two steps, between which other clients may insert.
     *
     * @param to the time between the steps
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
