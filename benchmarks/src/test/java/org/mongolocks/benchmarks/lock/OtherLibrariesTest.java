package org.mongolocks.benchmarks.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.OtherLibraries.Server;
import org.mongolocks.benchmarks.run.EmbeddedEnvironment;
import org.mongolocks.benchmarks.run.RunEnvironment;

/** Checks that the locks of other libraries are used correctly, because figures of a misused lock would be unfair. */
class OtherLibrariesTest {
    private static final LockRequest REQUEST =
            LockRequest.of("report", Duration.ofMinutes(1)).fixedLease();

    @AutoClose
    private final EmbeddedEnvironment server = new EmbeddedEnvironment();

    private final RunEnvironment environment = server.environment();

    private enum Peer {
        SHEDLOCK {
            @Override
            LockImplementation contender(RunEnvironment environment) {
                return new ShedLockLock(environment);
            }
        },
        MONGOCK {
            @Override
            LockImplementation contender(RunEnvironment environment) {
                return new MongockLock(environment);
            }
        },
        REDISSON {
            @Override
            LockImplementation contender(RunEnvironment environment) {
                return onServer(Server.REDIS, environment);
            }
        },
        CURATOR {
            @Override
            LockImplementation contender(RunEnvironment environment) {
                return onServer(Server.ZOOKEEPER, environment);
            }
        },
        ETCD {
            @Override
            LockImplementation contender(RunEnvironment environment) {
                return onServer(Server.ETCD, environment);
            }
        },
        SPRING_JDBC {
            @Override
            LockImplementation contender(RunEnvironment environment) {
                return onServer(Server.POSTGRESQL, environment);
            }
        };

        private static LockImplementation onServer(Server server, RunEnvironment environment) {
            return server.lock(PeerServer.addressOf(server), environment);
        }

        abstract LockImplementation contender(RunEnvironment environment);
    }

    @ParameterizedTest
    @EnumSource
    void lockIsHeldUntilItsRelease(Peer peer) throws InterruptedException {
        try (LockImplementation contender = peer.contender(environment);
                BenchmarkParticipant one = contender.open();
                BenchmarkParticipant other = contender.open()) {
            AcquiredLock grant = one.acquire(REQUEST).orElseThrow();

            assertThat(other.acquire(REQUEST)).isEmpty();
            assertThat(grant.release()).isTrue();
            assertThat(other.acquire(REQUEST)).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource
    void locksOfOtherNamesAreOtherLocks(Peer peer) throws InterruptedException {
        try (LockImplementation contender = peer.contender(environment);
                BenchmarkParticipant locks = contender.open()) {
            assertThat(locks.acquire(REQUEST)).isPresent();

            assertThat(locks.acquire(
                            LockRequest.of("bill", Duration.ofMinutes(1)).fixedLease()))
                    .isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SHEDLOCK", "MONGOCK"})
    void itsCommandsAreCounted(Peer peer) throws InterruptedException {
        try (LockImplementation contender = peer.contender(environment);
                BenchmarkParticipant locks = contender.open()) {
            long before = contender.commands().orElseThrow();

            locks.acquire(REQUEST).orElseThrow().release();

            assertThat(contender.commands().orElseThrow() - before).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SHEDLOCK")
    void waiterAcquiresTheLockAfterItsRelease(Peer peer) throws InterruptedException {
        try (LockImplementation contender = peer.contender(environment);
                BenchmarkParticipant one = contender.open();
                BenchmarkParticipant other = contender.open()) {
            AcquiredLock grant = one.acquire(REQUEST).orElseThrow();
            CompletableFuture<Optional<AcquiredLock>> waiter = CompletableFuture.supplyAsync(() -> waited(other));

            assertThat(grant.release()).isTrue();

            assertThat(waiter.join()).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SHEDLOCK")
    void waiterIsContendedAtItsDeadline(Peer peer) throws InterruptedException {
        try (LockImplementation contender = peer.contender(environment);
                BenchmarkParticipant one = contender.open();
                BenchmarkParticipant other = contender.open()) {
            assertThat(one.acquire(REQUEST)).isPresent();

            assertThat(other.acquire(REQUEST.waitAtMost(Duration.ofMillis(1)))).isEmpty();
        }
    }

    @Test
    void tokensOfRedissonGrowUntilItsClientIsClosed() throws InterruptedException {
        try (LockImplementation contender = Peer.REDISSON.contender(environment)) {
            try (BenchmarkParticipant locks = contender.open()) {
                assertThat(tokenOf(locks)).hasValue(1);
                assertThat(tokenOf(locks)).hasValue(2);
            }
            try (BenchmarkParticipant locks = contender.open()) {
                assertThat(tokenOf(locks)).hasValue(1);
            }
        }
    }

    @Test
    void tokensOfEtcdGrowFromOneClientToTheNext() throws InterruptedException {
        try (LockImplementation contender = Peer.ETCD.contender(environment);
                BenchmarkParticipant one = contender.open();
                BenchmarkParticipant other = contender.open()) {
            long first = tokenOf(one).orElseThrow();

            assertThat(tokenOf(other).orElseThrow()).isGreaterThan(first);
        }
    }

    @Test
    void requestsOfOneEtcdClientExcludeEachOther() throws InterruptedException {
        try (LockImplementation contender = Peer.ETCD.contender(environment);
                BenchmarkParticipant locks = contender.open()) {
            assertThat(locks.acquire(REQUEST)).isPresent();

            assertThat(locks.acquire(REQUEST.waitAtMost(Duration.ofMillis(1)))).isEmpty();
        }
    }

    @Test
    void redisIsAskedHowDurableItIs() {
        try (RedissonFencedLock contender =
                new RedissonFencedLock(PeerServer.addressOf(Server.REDIS), environment.name(""))) {
            assertThat(contender.durability())
                    .matches("appendonly (yes|no), appendfsync (always|everysec|no), one server");
        }
    }

    @Test
    void postgresqlIsAskedHowDurableItIs() throws InterruptedException {
        try (OtherServerLock contender = postgresql()) {
            assertThat(contender.entry().properties().durability())
                    .matches("fsync (on|off), synchronous_commit \\w+, (one server|standbys .+)");
        }
    }

    @Test
    void lockOfSpringIsKnownToBeLostAfterATakeover() throws InterruptedException {
        LockRequest expired = LockRequest.of("report", Duration.ofMillis(100)).fixedLease();
        try (LockImplementation contender = Peer.SPRING_JDBC.contender(environment);
                BenchmarkParticipant one = contender.open();
                BenchmarkParticipant other = contender.open()) {
            AcquiredLock grant = one.acquire(expired).orElseThrow();

            assertThat(other.acquire(REQUEST.waitAtMost(Duration.ofSeconds(20))))
                    .isPresent();

            assertThat(grant.release()).isFalse();
        }
    }

    @Test
    void schemaOfPostgresqlIsDroppedAfterTheRun() throws InterruptedException, SQLException {
        try (OtherServerLock contender = postgresql();
                BenchmarkParticipant locks = contender.open()) {
            assertThat(locks.acquire(REQUEST)).isPresent();
            assertThat(schemas()).hasSize(1);
        }

        assertThat(schemas()).isEmpty();
    }

    private OtherServerLock postgresql() {
        return Server.POSTGRESQL.lock(PeerServer.addressOf(Server.POSTGRESQL), environment);
    }

    /** Returns the schemas of this run. */
    private List<String> schemas() throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(PeerServer.addressOf(Server.POSTGRESQL));
                ResultSet schemas = connection
                        .getMetaData()
                        .getSchemas(null, environment.name("").replace("_", "\\_") + "%")) {
            while (schemas.next()) {
                names.add(schemas.getString(1));
            }
        }
        return names;
    }

    private static OptionalLong tokenOf(BenchmarkParticipant locks) throws InterruptedException {
        AcquiredLock grant = locks.acquire(REQUEST).orElseThrow();
        grant.release();
        return grant.fencingToken();
    }

    private static Optional<AcquiredLock> waited(BenchmarkParticipant locks) {
        try {
            return locks.acquire(REQUEST.waitAtMost(Duration.ofSeconds(20)));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
