package org.mongolocks.embedded;

import de.bwaldvogel.mongo.bson.Document;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.mongolocks.embedded.internal.engine.Engine;
import org.mongolocks.embedded.internal.engine.ServerConfig;

/**
 * A MongoDB server without a network, without threads and without waiting: commands go in, replies come out through a handler.
 *
 * <p>A command is answered at once, or it is parked: until a transaction ends, until something is written, until a time. It is answered
 * later then, from within another {@link #submit} or from within {@link #runDue} after the clock has moved. Two engines with the same
 * configuration, the same commands and the same clock give the same replies, byte for byte.
 *
 * <p>Not thread-safe: one thread at a time.
 */
public final class MongoEngine {
    private final Engine engine;

    private MongoEngine(Engine engine) {
        this.engine = engine;
    }

    /**
     * Makes an engine with standard settings, a replica set of one member on the system clock.
     *
     * @return the engine
     */
    public static MongoEngine create() {
        return builder().build();
    }

    /**
     * Begins to set up an engine.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Opens a connection.
     *
     * @return the connection
     */
    public MongoConnection connect() {
        return new MongoConnection(engine.connect());
    }

    /**
     * Closes a connection. Commands that it has parked go on, as those of a real server do, but for those that only wait for news; their
     * handlers are not called.
     *
     * @param connection the connection
     */
    public void disconnect(MongoConnection connection) {
        engine.disconnect(connection.internal());
    }

    /**
     * Takes a command.
     *
     * @param connection where it comes from
     * @param command the command as it goes over the wire, {@code $db} included; it must not be changed afterwards
     * @param handler takes the answer, now or later
     */
    public void submit(MongoConnection connection, Document command, ReplyHandler handler) {
        engine.submit(connection.internal(), command, handler);
    }

    /** Does all whose time has come: answers parked commands, deletes expired documents, aborts transactions that took too long. */
    public void runDue() {
        engine.runDue();
    }

    /**
     * Tells when {@link #runDue} has something to do next.
     *
     * @return the time, or nothing if there is none
     */
    public Optional<Instant> nextDue() {
        long due = engine.nextDue();
        return due == Long.MAX_VALUE ? Optional.empty() : Optional.of(Instant.ofEpochMilli(due));
    }

    /**
     * Takes a snapshot of what is stored: committed data, the oplog, what sessions have done. Open transactions are not part of it.
     *
     * @return the snapshot
     */
    public EngineSnapshot snapshot() {
        return new EngineSnapshot(engine.snapshot());
    }

    /**
     * Goes back to a snapshot, as a failover with a roll-back does. What was written since is lost; open transactions, cursors and sessions
     * in memory are gone; parked commands fail with {@code InterruptedDueToReplStateChange} (11602). The logical clock goes on, so that what
     * is written from now on is newer than what was lost. Fail points and parameters stay.
     *
     * @param snapshot of this engine; or of another one, and this engine goes on from there as another member of the replica set does
     */
    public void restore(EngineSnapshot snapshot) {
        engine.restore(snapshot.stored());
    }

    /** Sets up an engine. */
    public static final class Builder {
        private InstantSource clock = InstantSource.system();
        private boolean isReplicaSet = true;
        private String host = "localhost:27017";
        private long seed;
        private int ttlMonitorSeconds = ServerConfig.DEFAULT_TTL_SECONDS;
        private int oplogCapacity = ServerConfig.DEFAULT_OPLOG_CAPACITY;

        private Builder() {}

        /**
         * Sets the wall clock of the server.
         *
         * @param clock the clock, the system's if not set
         * @return this
         */
        public Builder clock(InstantSource clock) {
            this.clock = clock;
            return this;
        }

        /**
         * Makes the server a standalone one, without transactions, retryable writes and change streams.
         *
         * @return this
         */
        public Builder standalone() {
            this.isReplicaSet = false;
            return this;
        }

        /**
         * Sets the address that the server tells its clients.
         *
         * @param host {@code host:port}, {@code localhost:27017} if not set
         * @return this
         */
        public Builder host(String host) {
            this.host = host;
            return this;
        }

        /**
         * Sets where the random ids begin.
         *
         * @param seed any number, zero if not set
         * @return this
         */
        public Builder seed(long seed) {
            this.seed = seed;
            return this;
        }

        /**
         * Sets how often expired documents are deleted.
         *
         * @param seconds at least 1; 60 if not set
         * @return this
         * @throws IllegalArgumentException if it is less than 1
         */
        public Builder ttlMonitorSeconds(int seconds) {
            this.ttlMonitorSeconds = atLeastOne(seconds, "ttlMonitorSeconds");
            return this;
        }

        /**
         * Sets how many changes the oplog keeps for change streams to resume from.
         *
         * @param entries at least 1; 20,000 if not set
         * @return this
         * @throws IllegalArgumentException if it is less than 1
         */
        public Builder oplogCapacity(int entries) {
            this.oplogCapacity = atLeastOne(entries, "oplogCapacity");
            return this;
        }

        private static int atLeastOne(int value, String name) {
            if (value < 1) {
                throw new IllegalArgumentException(name + " must be at least 1, but is " + value);
            }
            return value;
        }

        /**
         * Makes the engine.
         *
         * @return the engine
         */
        public MongoEngine build() {
            return new MongoEngine(
                    new Engine(new ServerConfig(isReplicaSet, host, clock, seed, ttlMonitorSeconds, oplogCapacity)));
        }
    }
}
