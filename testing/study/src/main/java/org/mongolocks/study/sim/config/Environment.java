package org.mongolocks.study.sim.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/** The environment of the clients of a run. Immutable: each change returns a copy. */
public final class Environment {
    /** A data center without faults. */
    public static final Environment HEALTHY = new Environment();

    /** The latency of a message. */
    public static final DurationRange DELAY = DurationRange.millis(1, 5);

    private boolean retryWrites = true;
    private int ttlMonitorSeconds = 60;
    private Duration replicationLag = Duration.ZERO;
    private int connections = 100;
    private IntPredicate changeStreams = client -> true;
    private boolean weakForAll = false;
    private List<Duration> routers = List.of();
    private Optional<DurationRange> eventGap = Optional.empty();
    private Duration upsertPause = Duration.ZERO;
    private Callbacks callbacks = Callbacks.RUN;

    /** What the users' callbacks about losses and ending leases do, and how a holder learns of a loss. */
    public enum Callbacks {
        /** A callback notifies the holder of a loss. */
        RUN,
        /** Each callback blocks its thread for ever; a loss interrupts the holder's thread. */
        BLOCK,
        /** Each callback blocks its thread for ever; only a callback could tell the holder of a loss. */
        BLOCK_LOSSES;

        /** Returns whether callbacks block. */
        public boolean isBlocking() {
            return this != RUN;
        }
    }

    private Environment() {}

    private Environment with(Consumer<Environment> change) {
        Environment copy = new Environment();
        copy.retryWrites = retryWrites;
        copy.ttlMonitorSeconds = ttlMonitorSeconds;
        copy.replicationLag = replicationLag;
        copy.connections = connections;
        copy.changeStreams = changeStreams;
        copy.weakForAll = weakForAll;
        copy.routers = routers;
        copy.eventGap = eventGap;
        copy.upsertPause = upsertPause;
        copy.callbacks = callbacks;
        change.accept(copy);
        return copy;
    }

    /** Returns this environment with drivers that do not retry writes. */
    public Environment withoutRetries() {
        return with(copy -> copy.retryWrites = false);
    }

    /** Returns this environment with another interval of the TTL monitor. */
    public Environment ttlMonitorSeconds(int to) {
        return with(copy -> copy.ttlMonitorSeconds = to);
    }

    /** Returns this environment with other members, which replicate a write a little later. */
    public Environment replicationLag(Duration to) {
        return with(copy -> copy.replicationLag = to);
    }

    /** Returns this environment with another connection limit of a client. */
    public Environment connections(int to) {
        return with(copy -> copy.connections = to);
    }

    /** Returns this environment without change streams, as for a standalone or a user without the privilege. */
    public Environment withoutChangeStreams() {
        return withChangeStreamsFor(client -> false);
    }

    /**
     * Returns this environment with change streams for some clients only.
     *
     * @param to the numbers of these clients
     */
    public Environment withChangeStreamsFor(IntPredicate to) {
        return with(copy -> copy.changeStreams = to);
    }

    /** Returns this environment with writes that never wait for a majority. */
    public Environment weak() {
        return with(copy -> copy.weakForAll = true);
    }

    /**
     * Returns this environment with routers, each with its own clock. Each command goes to any of them.
     *
     * @param to how far the clock of each is ahead
     */
    public Environment routers(List<Duration> to) {
        return with(copy -> copy.routers = to);
    }

    /**
     * Returns this environment with a router that delivers events late, because an idle shard reports only now and then
     * that it has none.
     *
     * @param to the time between two reports of that shard
     */
    public Environment eventGap(DurationRange to) {
        return with(copy -> copy.eventGap = Optional.of(to));
    }

    /**
     * Returns this environment with upserts in two steps, between which other clients may insert.
     *
     * @param to the time between the steps
     */
    public Environment upsertPause(Duration to) {
        return with(copy -> copy.upsertPause = to);
    }

    /**
     * Returns this environment with other callbacks of the users.
     *
     * @param to what they do
     */
    public Environment callbacks(Callbacks to) {
        return with(copy -> copy.callbacks = to);
    }

    /** Returns whether the drivers retry writes. */
    public boolean retryWrites() {
        return retryWrites;
    }

    /** Returns how often the server looks for expired documents. */
    public int ttlMonitorSeconds() {
        return ttlMonitorSeconds;
    }

    /** Returns the time until a write has reached a majority; zero for at once. */
    public Duration replicationLag() {
        return replicationLag;
    }

    /** Returns the connection limit of a client. */
    public int connections() {
        return connections;
    }

    /** Returns whether a client has change streams. */
    public boolean hasChangeStreams(int client) {
        return changeStreams.test(client);
    }

    /** Returns whether no write waits for a majority, even if requested: a mistake, for tests. */
    public boolean weakForAll() {
        return weakForAll;
    }

    /** Returns how far the clock of each router is ahead of the correct time; empty if there is no router. */
    public List<Duration> routers() {
        return routers;
    }

    /** Returns how long a router waits for an idle shard before it delivers the events until then; empty if events are delivered at once. */
    public Optional<DurationRange> eventGap() {
        return eventGap;
    }

    /** Returns what the users' callbacks do. */
    public Callbacks callbacks() {
        return callbacks;
    }

    /** Returns the time in an upsert between finding nothing and its insert; zero if it is one step. */
    public Duration upsertPause() {
        return upsertPause;
    }
}
