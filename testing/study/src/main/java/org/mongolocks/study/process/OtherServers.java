package org.mongolocks.study.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.peers.PeerLibrary.Server;

/** The servers of libraries that have their locks not on MongoDB. */
public final class OtherServers {
    /** None. */
    public static final OtherServers NONE = new OtherServers();

    private final Map<Server, String> uris = new EnumMap<>(Server.class);
    private @Nullable Process redis;

    private OtherServers() {}

    /**
     * Returns the given servers; without a Redis one is started, if {@code redis-server} is found.
     *
     * @throws IllegalArgumentException if a given PostgreSQL does not answer, or Redis does not start
     */
    public static OtherServers of(Optional<String> redis, Optional<String> postgresql) {
        OtherServers servers = new OtherServers();
        postgresql.ifPresent(url -> {
            execute(url, "SELECT 1");
            servers.uris.put(Server.POSTGRESQL, url);
        });
        redis.ifPresentOrElse(uri -> servers.uris.put(Server.REDIS, uri), servers::startRedis);
        return servers;
    }

    /** Returns the connection string of a server; empty if there is none, and for that of MongoDB. */
    public Optional<String> uri(Server server) {
        return Optional.ofNullable(uris.get(server));
    }

    /** Returns why a server is missing, if it is. */
    public Optional<String> missing(Server server) {
        return switch (uris.containsKey(server) ? Server.OTHER : server) {
            case REDIS -> Optional.of("needs --redis, or a redis-server on the PATH");
            case POSTGRESQL -> Optional.of("needs --postgresql");
            case MONGODB, OTHER -> Optional.empty();
        };
    }

    /** Starts Redis with its defaults, in a directory of its own, and waits until it accepts connections. */
    private void startRedis() {
        try {
            int port;
            try (ServerSocket socket = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
                port = socket.getLocalPort();
            }
            Path directory = Files.createTempDirectory("mongo-locks-redis");
            Path log = directory.resolve("redis.log");
            Process process =
                    started(log, "redis-server", "--port", "" + port, "--bind", "127.0.0.1", "--dir", "" + directory);
            if (process == null) {
                return;
            }
            redis = process;
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "redis-end"));
            while (!Files.readString(log).contains("Ready to accept connections")) {
                if (!process.isAlive()) {
                    throw new IllegalArgumentException("redis-server does not start; its log is " + log);
                }
            }
            uris.put(Server.REDIS, "redis://127.0.0.1:" + port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable Process started(Path log, String... command) {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException e) {
            return null; // It is not installed.
        }
    }

    private static void execute(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalArgumentException("PostgreSQL does not answer: " + e.getMessage(), e);
        }
    }

    /** Drops the schema of the study, and ends a Redis that was started. */
    void close(String schema) {
        uri(Server.POSTGRESQL).ifPresent(url -> execute(url, "DROP SCHEMA IF EXISTS " + schema + " CASCADE"));
        if (redis != null) {
            redis.destroy();
        }
    }
}
