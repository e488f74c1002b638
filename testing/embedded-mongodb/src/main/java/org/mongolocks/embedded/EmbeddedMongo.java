package org.mongolocks.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.mongolocks.embedded.internal.state.ServerConfig;
import org.mongolocks.embedded.internal.wire.SharedEngine;
import org.mongolocks.embedded.internal.wire.WireServer;

/**
 * A MongoDB server in this JVM, for tests and demos. It listens on the loopback address and answers any MongoDB driver as MongoDB 4.4 does, or
 * as a later {@linkplain Builder#version version}.
 *
 * <p>What it stores is in memory and gone when it is closed. Thread-safe.
 */
public final class EmbeddedMongo implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";
    private static final Duration MIN_STEP_DOWN = Duration.ofSeconds(1);
    private static final Duration MAX_STEP_DOWN = Duration.ofHours(1);
    private static final long NANOS_BELOW_SECOND = 999_999_999;

    private final WireServer server;
    private final boolean isReplicaSet;

    private EmbeddedMongo(WireServer server, boolean isReplicaSet) {
        this.server = server;
        this.isReplicaSet = isReplicaSet;
    }

    /**
     * Starts a replica set of one member on a free port.
     *
     * @return the server, to be closed
     */
    public static EmbeddedMongo start() {
        return builder().start();
    }

    /**
     * Begins to set up a server.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Tells a driver how to connect.
     *
     * @return a connection string, with the name of the replica set if it is one
     */
    public String connectionString() {
        String address = "mongodb://" + LOOPBACK + ':' + port() + '/';
        return isReplicaSet ? address + "?replicaSet=" + ServerConfig.SET_NAME : address;
    }

    /**
     * Tells where the server listens.
     *
     * @return the port
     */
    public int port() {
        return server.port();
    }

    /**
     * Has the primary step down, as the command {@code replSetStepDown} with {@code force} does. When this returns, waiting clients have been
     * notified, writes that waited for a transaction have been interrupted, and open transactions are aborted; nothing is rolled
     * back. No connection is closed. Until it is primary again the server refuses
     * writes with {@code NotMaster} (10107), and reads that must be of a primary with {@code NotMasterNoSlaveOk} (13435).
     *
     * @param period when the server becomes primary again by itself, by its {@link Builder#clock}: one second to an hour, of which a part
     *     of a second counts as a whole one
     * @throws IllegalArgumentException if it is less or more
     * @throws IllegalStateException if the server is standalone, or has stepped down already
     */
    public void stepDown(Duration period) {
        if (period.compareTo(MIN_STEP_DOWN) < 0 || period.compareTo(MAX_STEP_DOWN) > 0) {
            throw new IllegalArgumentException(
                    "period must be between " + MIN_STEP_DOWN + " and " + MAX_STEP_DOWN + ", but is " + period);
        }
        requireReplicaSet();
        if (!server.engine().stepDown(period.plusNanos(NANOS_BELOW_SECOND).toSeconds())) {
            throw new IllegalStateException("the server has stepped down already");
        }
    }

    /**
     * Ends a step-down: the server is primary when this returns, and waiting clients have been notified. It does nothing to a
     * primary.
     *
     * @throws IllegalStateException if the server is standalone
     */
    public void stepUp() {
        requireReplicaSet();
        server.engine().stepUp();
    }

    private void requireReplicaSet() {
        if (!isReplicaSet) {
            throw new IllegalStateException("a standalone server is no member of a replica set");
        }
    }

    /**
     * Stops the server: its connections are closed, its commands are interrupted, its threads have ended when this returns. To close it
     * again does nothing.
     */
    @Override
    public void close() {
        server.close();
    }

    /** Sets up a server. */
    public static final class Builder extends ServerBuilder<Builder> {
        private int port;
        private Duration majorityLag = Duration.ZERO;

        private Builder() {
            super(System.nanoTime());
        }

        @Override
        Builder self() {
            return this;
        }

        /**
         * Sets the port to listen on.
         *
         * @param port 0 to 65535; zero, which is also the default, for one that is free
         * @return this
         * @throws IllegalArgumentException if it is no port
         */
        public Builder port(int port) {
            if (port < 0 || port > 65_535) {
                throw new IllegalArgumentException("port must be between 0 and 65535, but is " + port);
            }
            this.port = port;
            return this;
        }

        /**
         * Delays majority acknowledgement, as on a replica set whose other members write everything so much later: a
         * command with the write concern {@code majority} is answered, and a change stream delivers a change, that
         * long after the change. It passes in real time, whatever the {@link #clock}. Other commands are not slower,
         * and readers see at once what was written.
         *
         * @param lag zero, which is the default, to a minute
         * @return this
         * @throws IllegalArgumentException if it is less or more
         */
        public Builder majorityLag(Duration lag) {
            this.majorityLag = upToAMinute(lag, "majorityLag");
            return this;
        }

        /**
         * Starts the server.
         *
         * @return the server, to be closed
         * @throws UncheckedIOException if the port is taken
         * @throws IllegalStateException if a majority lags behind a {@link #standalone} server, which has none; if {@linkplain
         *     #eventInterval events are late} without a {@link #router}, or a router is standalone; if the wire version of a server
         *     {@linkplain #withoutUpdatePipelines without update pipelines} is newer than its {@link #version}
         */
        public EmbeddedMongo start() {
            if (!isReplicaSet() && !majorityLag.isZero()) {
                throw new IllegalStateException("a standalone server waits for no majority");
            }
            check();
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            try {
                return new EmbeddedMongo(WireServer.start(address, this::engine), isReplicaSet() && !isRouter());
            } catch (IOException e) {
                throw new UncheckedIOException("cannot listen on port " + port + ": " + e.getMessage(), e);
            }
        }

        private SharedEngine engine(int boundPort) {
            String host = LOOPBACK + ':' + boundPort;
            MovableClock movable = clock() instanceof MovableClock clock ? clock : null;
            return new SharedEngine(
                    config(host),
                    majorityLag,
                    movable == null || movable.isRunning(),
                    wake -> movable == null ? () -> {} : movable.onMove(wake)::close);
        }
    }
}
