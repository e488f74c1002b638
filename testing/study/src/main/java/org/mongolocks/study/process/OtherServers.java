package org.mongolocks.study.process;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.mongolocks.peers.PeerLibrary.Server;
import org.mongolocks.reporting.server.ServerAddress;

/**
 * The servers of libraries that have their locks not on MongoDB.
 *
 * @param uris the connection string of each
 */
public record OtherServers(Map<Server, String> uris) {
    /** None. */
    public static final OtherServers NONE = new OtherServers(Map.of());

    /**
     * Returns the given servers.
     *
     * @throws IllegalArgumentException if an address is malformed, or PostgreSQL does not answer; the message contains no secrets
     */
    public static OtherServers of(Optional<String> redis, Optional<String> postgresql) {
        Map<Server, String> uris = new EnumMap<>(Server.class);
        redis.ifPresent(uri -> {
            ServerAddress.REDIS.require(uri);
            uris.put(Server.REDIS, uri);
        });
        postgresql.ifPresent(url -> {
            ServerAddress.POSTGRESQL.require(url);
            try {
                execute(url, "SELECT 1");
            } catch (SQLException e) {
                // The driver's message may contain the address, with its password.
                throw new IllegalArgumentException(
                        "PostgreSQL does not answer at --postgresql (SQL state " + e.getSQLState() + ")");
            }
            uris.put(Server.POSTGRESQL, url);
        });
        return new OtherServers(uris);
    }

    /** Returns the connection string of a server; empty if there is none, and for that of MongoDB. */
    public Optional<String> uri(Server server) {
        return Optional.ofNullable(uris.get(server));
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * Drops the schema of the study.
     *
     * @throws RunFailedException if it cannot be dropped
     */
    void drop(String schema) {
        uri(Server.POSTGRESQL).ifPresent(url -> {
            try {
                execute(url, "DROP SCHEMA IF EXISTS " + schema + " CASCADE");
            } catch (SQLException e) {
                throw new RunFailedException("Schema " + schema + " could not be dropped; drop it by hand", e);
            }
        });
    }
}
