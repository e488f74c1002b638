package org.mongolocks.study.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.peers.PeerLibrary.Server;

/** The servers of libraries that have their locks not on MongoDB. */
public final class OtherServers {
    /** None. */
    public static final OtherServers NONE = new OtherServers(Map.of(), null);

    private static final int START_SECONDS = 10;

    private final Map<Server, String> uris;
    private final @Nullable Process redis;

    private OtherServers(Map<Server, String> uris, @Nullable Process redis) {
        this.uris = Map.copyOf(uris);
        this.redis = redis;
    }

    /**
     * Returns the given servers; without a Redis one is started, if {@code redis-server} is found.
     *
     * @throws IllegalArgumentException if a given PostgreSQL does not answer
     */
    public static OtherServers of(Optional<String> redis, Optional<String> postgresql) {
        Map<Server, String> uris = new EnumMap<>(Server.class);
        postgresql.ifPresent(url -> {
            execute(url, "SELECT 1");
            uris.put(Server.POSTGRESQL, url);
        });
        Optional<Path> program = redis.isPresent() ? Optional.empty() : find("redis-server");
        int port = program.map(found -> freePort()).orElse(0);
        Optional<Process> started = program.map(found -> start(found, port));
        redis.or(() -> started.map(process -> "redis://127.0.0.1:" + port))
                .ifPresent(uri -> uris.put(Server.REDIS, uri));
        return new OtherServers(uris, started.orElse(null));
    }

    /** Returns the connection string of a server; empty if there is none, and for that of MongoDB. */
    public Optional<String> uri(Server server) {
        return Optional.ofNullable(uris.get(server));
    }

    /** Returns why a server is missing, if it is. */
    public Optional<String> missing(Server server) {
        return switch (server) {
            case REDIS ->
                Optional.of("needs --redis, or a redis-server on the PATH")
                        .filter(why -> uri(server).isEmpty());
            case POSTGRESQL ->
                Optional.of("needs --postgresql").filter(why -> uri(server).isEmpty());
            case MONGODB, OTHER -> Optional.empty();
        };
    }

    private static Optional<Path> find(String program) {
        return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts Redis with its defaults, in a directory of its own, and waits until it accepts connections. */
    private static Process start(Path program, int port) {
        try {
            Path directory = Files.createTempDirectory("mongo-locks-redis");
            Process process = new ProcessBuilder(
                            program.toString(), "--port", "" + port, "--bind", "127.0.0.1", "--dir", "" + directory)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("redis.log").toFile())
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "redis-end"));
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
            while (!accepts(port)) {
                if (System.nanoTime() - deadlineNanos > 0 || !process.isAlive()) {
                    process.destroy();
                    throw new IllegalArgumentException("redis-server does not start; its log is in " + directory);
                }
            }
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
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
