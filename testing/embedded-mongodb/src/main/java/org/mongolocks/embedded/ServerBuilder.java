package org.mongolocks.embedded;

import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.state.ServerConfig;
import org.mongolocks.embedded.internal.state.ServerVersion;

/** The options common to the builders of {@link EmbeddedMongo} and {@link MongoEngine}. */
abstract sealed class ServerBuilder<B extends ServerBuilder<B>> permits EmbeddedMongo.Builder, MongoEngine.Builder {
    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    private InstantSource clock = InstantSource.system();
    private boolean isReplicaSet = true;
    private boolean isRouter;
    private ServerVersion version = ServerVersion.V4_4;
    private @Nullable Integer claimedWireVersion;
    private Duration eventInterval = Duration.ZERO;
    private long seed;
    private int ttlMonitorSeconds = 60;
    private int oplogCapacity = 20_000;

    ServerBuilder(long seed) {
        this.seed = seed;
    }

    abstract B self();

    /**
     * Sets the wall clock of the server. A {@link MovableClock} wakes an {@link EmbeddedMongo} when it is moved.
     *
     * @param source the clock, the system's if not set
     * @return this
     */
    public B clock(InstantSource source) {
        this.clock = source;
        return self();
    }

    /**
     * Sets the version of MongoDB that the server answers as: its wire version, its handshake, its error names, the stable API and the
     * events of its change streams. {@code docs/embedded.md} lists the differences.
     *
     * @param version {@code 4.4}, {@code 5.0}, {@code 7.0}, {@code 8.0} or {@code 9.0}; {@code 4.4} if not set
     * @return this
     * @throws IllegalArgumentException if it is none of these
     */
    public B version(String version) {
        this.version = ServerVersion.of(version);
        return self();
    }

    /**
     * Makes the server a standalone one, without transactions, retryable writes and change streams.
     *
     * @return this
     */
    public B standalone() {
        this.isReplicaSet = false;
        return self();
    }

    /**
     * Sets where the ids that the server makes begin, so that they are the same each time.
     *
     * @param start any number; if not set, zero for a {@link MongoEngine}, and a different one each time for an {@link EmbeddedMongo}
     * @return this
     */
    public B seed(long start) {
        this.seed = start;
        return self();
    }

    /**
     * Sets how often expired documents are deleted.
     *
     * @param seconds at least 1; 60 if not set
     * @return this
     * @throws IllegalArgumentException if it is less than 1
     */
    public B ttlMonitorSeconds(int seconds) {
        this.ttlMonitorSeconds = atLeastOne(seconds, "ttlMonitorSeconds");
        return self();
    }

    /**
     * Sets how many changes the oplog keeps for change streams to resume from.
     *
     * @param entries at least 1; 20,000 if not set
     * @return this
     * @throws IllegalArgumentException if it is less than 1
     */
    public B oplogCapacity(int entries) {
        this.oplogCapacity = atLeastOne(entries, "oplogCapacity");
        return self();
    }

    private static int atLeastOne(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, but is " + value);
        }
        return value;
    }

    /**
     * Makes the server pass for a router of a sharded cluster, to drivers by its {@code hello}. It is one node, and has no sharded
     * collections; a test may describe some in {@code config.collections}.
     *
     * @return this
     */
    public B router() {
        this.isRouter = true;
        return self();
    }

    /**
     * Lets a {@link #router} deliver the events of change streams late, as one with an idle shard does: all that have happened, each time
     * that this interval has passed by the {@link #clock}. An event comes up to one interval late; nothing else is slower.
     *
     * @param interval zero, which is the default and delivers events at once, to a minute; {@code periodicNoopIntervalSecs} of a shard is
     *     10 seconds by default
     * @return this
     * @throws IllegalArgumentException if it is less or more
     */
    public B eventInterval(Duration interval) {
        this.eventInterval = upToAMinute(interval, "eventInterval");
        return self();
    }

    static Duration upToAMinute(Duration value, String name) {
        if (value.isNegative() || value.compareTo(A_MINUTE) > 0) {
            throw new IllegalArgumentException(name + " must be between PT0S and " + A_MINUTE + ", but is " + value);
        }
        return value;
    }

    /**
     * Makes the server refuse updates by a pipeline with {@code FailedToParse} (9), as MongoDB before 4.2 and some look-alikes do.
     *
     * @param maxWireVersion the newest version of the wire protocol that it claims: 9 for MongoDB 4.4, 8 for 4.2, the oldest to which the
     *     driver 5.8 connects. Not more than that of the {@link #version}
     * @return this
     * @throws IllegalArgumentException if it is less than 1
     */
    public B withoutUpdatePipelines(int maxWireVersion) {
        this.claimedWireVersion = atLeastOne(maxWireVersion, "maxWireVersion");
        return self();
    }

    InstantSource clock() {
        return clock;
    }

    boolean isReplicaSet() {
        return isReplicaSet;
    }

    boolean isRouter() {
        return isRouter;
    }

    // Options that contradict each other.
    void check() {
        if (claimedWireVersion != null && claimedWireVersion > version.maxWireVersion()) {
            throw new IllegalStateException("a server of version " + version.release() + " has wire version "
                    + version.maxWireVersion() + ", and cannot claim " + claimedWireVersion);
        }
        if (!isRouter && !eventInterval.isZero()) {
            throw new IllegalStateException("only a router delivers events late");
        }
        if (isRouter && !isReplicaSet) {
            throw new IllegalStateException("a router cannot be standalone");
        }
    }

    ServerConfig config(String host) {
        return new ServerConfig(
                isReplicaSet,
                host,
                clock,
                seed,
                ttlMonitorSeconds,
                oplogCapacity,
                isRouter,
                claimedWireVersion == null,
                version,
                eventInterval,
                claimedWireVersion == null ? version.maxWireVersion() : claimedWireVersion);
    }
}
