package org.mongolocks.benchmarks.lock;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.LockImplementation.WaitMode;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.reporting.server.UnusableInputException;
import org.springframework.core.io.ClassPathResource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.jdbc.datasource.init.ScriptUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * The JDBC lock registry of Spring Integration on PostgreSQL, in a schema of this run. The registry has its defaults,
 * but inserts with {@code ON CONFLICT DO NOTHING}, as its documentation proposes for PostgreSQL: otherwise each refused
 * attempt is an error in the log of the server.
 */
public final class SpringJdbcLock implements OtherServerLock {
    private static final String ID = "spring-jdbc";
    private static final String TITLE = "Spring Integration 7.0.5 on PostgreSQL";

    /** The polling interval of a registry by default. */
    private static final Duration PERIOD = Duration.ofMillis(100);

    private static final String TIMEOUT_SECONDS = "3";
    /** The class of the SQL states of connections that fail. */
    private static final String NO_CONNECTION = "08";
    /** The SQL state of a server that answers, but accepts no connection without a password. */
    private static final String REJECTED = "08004";

    private static final ClassPathResource TABLES =
            new ClassPathResource("org/springframework/integration/jdbc/schema-postgresql.sql");

    private static final String DURABILITY = """
        SELECT current_setting('fsync'), current_setting('synchronous_commit'),
               current_setting('synchronous_standby_names')\
        """;

    private final String url;
    private final String schema;
    private boolean isPrepared;

    public SpringJdbcLock(String url, String schema) {
        this.url = url;
        this.schema = schema;
    }

    /** Returns this library as an entry of the results. */
    static LockUnderTest contender(String durability) {
        return LockUnderTest.of(
                ID,
                Kind.PEER,
                TITLE,
                new LockUnderTest.Properties(
                        durability,
                        "none",
                        "client id, and thread within a client",
                        "own",
                        "asks again each 100 ms; in one client a local lock",
                        "acquisition only: the client id asks again; a repeated release counts as a loss"));
    }

    @Override
    public LockUnderTest entry() {
        try {
            prepare();
            return contender(durability());
        } catch (SQLException e) {
            throw unusable(e);
        }
    }

    /** Returns the settings of the server that decide whether a grant survives a crash. */
    String durability() throws SQLException {
        try (Connection connection = connect();
                Statement query = connection.createStatement();
                ResultSet settings = query.executeQuery(DURABILITY)) {
            settings.next();
            String standbys = settings.getString(3);
            return "fsync " + settings.getString(1) + ", synchronous_commit " + settings.getString(2) + ", "
                    + (standbys.isEmpty() ? "one server" : "standbys " + standbys);
        }
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public BenchmarkParticipant open() {
        try {
            prepare();
        } catch (SQLException e) {
            throw unusable(e);
        }
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(url);
        pool.setSchema(schema);
        return Registry.on(new HikariDataSource(pool));
    }

    @Override
    public WaitMode waiting() {
        return WaitMode.polling(PERIOD);
    }

    /** Drops the schema of this run. */
    @Override
    public void close() {
        try {
            execute("DROP SCHEMA IF EXISTS " + quotedSchema() + " CASCADE");
        } catch (SQLException e) {
            throw new LockException("Could not drop the schema " + schema, e);
        }
    }

    /** Creates the schema with the tables of the library, once. */
    private synchronized void prepare() throws SQLException {
        if (isPrepared) {
            return;
        }
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE SCHEMA " + quotedSchema());
            }
            connection.setSchema(schema);
            ScriptUtils.executeSqlScript(connection, TABLES);
            connection.commit();
        }
        isPrepared = true;
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Connection connect() throws SQLException {
        Properties timeouts = new Properties();
        timeouts.setProperty("connectTimeout", TIMEOUT_SECONDS);
        timeouts.setProperty("loginTimeout", TIMEOUT_SECONDS);
        return DriverManager.getConnection(url, timeouts);
    }

    private String quotedSchema() {
        return '"' + schema + '"';
    }

    /** Returns an exception that quotes the server, if the server refused something. */
    private static RuntimeException unusable(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.startsWith(NO_CONNECTION) && !state.equals(REJECTED)
                ? new LockException("PostgreSQL does not answer", e)
                : new UnusableInputException("PostgreSQL refused: " + e.getMessage(), e);
    }

    /** A registry with a client id and a connection pool of its own, as each process has. */
    private record Registry(HikariDataSource pool, DefaultLockRepository repository, JdbcLockRegistry locks)
            implements BenchmarkParticipant {
        /** Does what an application context does with these beans. */
        static Registry on(HikariDataSource pool) {
            DefaultLockRepository repository = new DefaultLockRepository(pool);
            repository.setTransactionManager(new JdbcTransactionManager(pool));
            repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
            repository.afterPropertiesSet();
            repository.afterSingletonsInstantiated();
            repository.start();
            return new Registry(pool, repository, new JdbcLockRegistry(repository));
        }

        @Override
        public Optional<AcquiredLock> acquire(LockRequest request) throws InterruptedException {
            DistributedLock lock = locks.obtain(request.name().value());
            return lock.tryLock(request.waitAtMost(), request.ttl()) ? Optional.of(new Held(lock)) : Optional.empty();
        }

        @Override
        public void close() {
            try (pool) {
                repository.close();
            }
        }
    }

    private record Held(DistributedLock lock) implements AcquiredLock {
        @Override
        public OptionalLong fencingToken() {
            return OptionalLong.empty();
        }

        @Override
        public boolean release() {
            try {
                lock.unlock();
                return true;
            } catch (ConcurrentModificationException e) {
                return false;
            }
        }
    }
}
