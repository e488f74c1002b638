package org.mongolocks.peers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.springframework.core.io.ClassPathResource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.datasource.init.ScriptUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * The lock registry of Spring Integration on PostgreSQL, in a schema of the study, with the query that its reference proposes for
 * PostgreSQL. Each run has a region of the table.
 */
final class SpringJdbc {
    private static final ClassPathResource TABLES =
            new ClassPathResource("org/springframework/integration/jdbc/schema-postgresql.sql");

    private SpringJdbc() {}

    static PeerLocks open(PeerPlace place) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(place.uri());
        config.setSchema(place.database());
        config.setMinimumIdle(2);
        HikariDataSource pool = new HikariDataSource(config);
        try {
            return open(pool, place);
        } catch (SQLException | RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    private static PeerLocks open(HikariDataSource pool, PeerPlace place) throws SQLException {
        createTables(pool, place.database());
        DefaultLockRepository repository = new DefaultLockRepository(pool);
        repository.setRegion(place.collection());
        repository.setTransactionManager(new JdbcTransactionManager(pool));
        repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
        // What an application context does with this bean.
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        return new SpringLocks(new JdbcLockRegistry(repository, place.ttl()), () -> {
            repository.close();
            pool.close();
        });
    }

    /** One process creates them, and others wait for it. */
    private static void createTables(HikariDataSource pool, String schema) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SELECT pg_advisory_xact_lock(" + schema.hashCode() + ")");
            if (!connection
                    .getMetaData()
                    .getTables(null, schema, "int_lock", null)
                    .next()) {
                statement.execute("CREATE SCHEMA IF NOT EXISTS " + schema);
                ScriptUtils.executeSqlScript(connection, TABLES);
            }
            connection.commit();
        }
    }
}
