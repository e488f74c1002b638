package org.mongolocks.embedded;

import de.bwaldvogel.mongo.bson.Document;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.command.CommandTable;
import org.mongolocks.embedded.internal.engine.Engine;
import org.mongolocks.embedded.internal.engine.Park;
import org.mongolocks.embedded.internal.engine.Recipient;

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
     * Closes a connection. Commands that it has parked go on, as those of a real server do, but for those that only wait for events; their
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
        engine.submit(connection.internal(), command, new Recipient(handler::reply, handler::connectionClosed));
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
     * Takes a snapshot: committed data, the oplog, records of sessions, and open transactions. Waiting commands are not part of it.
     *
     * @return the snapshot
     */
    public EngineSnapshot snapshot() {
        return new EngineSnapshot(engine.snapshot(), engine.memory());
    }

    /**
     * Goes on from a snapshot as if nothing had happened since: its open transactions are open. Waiting commands are dropped, and their
     * handlers are not called. The logical clock goes on.
     *
     * @param snapshot of this engine
     */
    public void resume(EngineSnapshot snapshot) {
        engine.resume(snapshot.stored(), snapshot.memory());
    }

    /**
     * Goes back to a snapshot, as a failover with a roll-back does. Later writes are lost; open transactions, cursors and sessions
     * in memory are gone; parked commands fail with {@code InterruptedDueToReplStateChange} (11602), but for a waiting {@code isMaster},
     * which reports the new state. The logical clock goes on, so that later writes are newer than the lost ones. Fail points
     * and parameters stay.
     *
     * @param snapshot of this engine; or of another one, and this engine goes on from there as another member of the replica set does
     */
    public void restore(EngineSnapshot snapshot) {
        engine.restore(snapshot.stored());
    }

    /**
     * Sets the majority commit point: the writes that a majority of the members has, and that no election rolls back. Reads with {@code
     * majority} show that, and change streams show nothing newer, until it is set again; {@code local} reads and writes use all that is stored.
     * An engine on which it was never set, or not since {@link #restore}, has a majority of its own.
     *
     * @param snapshot of this engine, not older than the one before
     */
    public void advanceMajority(EngineSnapshot snapshot) {
        engine.advanceMajority(snapshot.stored());
    }

    /**
     * Sets how far change streams see, as behind a router that has to wait for another shard. They never show more
     * than a majority has. Until it is set, and again after {@link #restore}, they show all of that.
     *
     * @param snapshot of this engine, not older than the one before
     */
    public void advanceEvents(EngineSnapshot snapshot) {
        engine.advanceEvents(snapshot.stored());
    }

    /** Sets up an engine. */
    public static final class Builder extends ServerBuilder<Builder> {
        private @Nullable Supplier<Duration> upsertPause;

        private Builder() {
            super(0);
        }

        @Override
        Builder self() {
            return this;
        }

        /**
         * Makes an upsert two steps, as on a real server: that nothing matches, and the insert. Between them others may insert as well. If
         * a unique index forbids that there are two, the later one fails with {@code DuplicateKey} (11000), or updates after all if it is
         * an {@code update} that looks for nothing but the key of that index. In a transaction an upsert stays one step.
         *
         * @param pause gives the time between the steps, for each upsert that finds nothing; zero for one step. It passes on the
         *     {@link #clock}, and ends in {@link MongoEngine#runDue}
         * @return this
         */
        public Builder upsertPause(Supplier<Duration> pause) {
            this.upsertPause = pause;
            return this;
        }

        /**
         * Makes the engine.
         *
         * @return the engine
         * @throws IllegalStateException if {@linkplain #eventInterval events are late} without a {@link #router}, or a router is {@link #standalone};
         *     if the wire version of a server {@linkplain #withoutUpdatePipelines without update pipelines} is newer than its {@link
         *     #version}
         */
        public MongoEngine build() {
            check();
            Engine engine = CommandTable.engine(config("localhost:27017"));
            Supplier<Duration> pause = upsertPause;
            if (pause != null) {
                engine.server().pauseUpserts(() -> wait(pause.get()));
            }
            return new MongoEngine(engine);
        }

        private @Nullable Park wait(Duration pause) {
            return pause.isZero() ? null : Park.until(clock().millis() + pause.toMillis());
        }
    }
}
