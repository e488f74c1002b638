package org.mongolocks.benchmarks.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
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
import org.mongolocks.benchmarks.run.EmbeddedEnvironment;
import org.mongolocks.benchmarks.run.RunEnvironment;

/** Checks that the locks of other libraries are used correctly, because figures of a misused lock would be unfair. */
class OtherLibrariesTest {
    private static final LockRequest REQUEST = LockRequest.of("report", Duration.ofMinutes(1));

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
                return new RedissonFencedLock(PeerServer.REDIS.address(), environment.name(""));
            }
        },
        CURATOR {
            @Override
            LockImplementation contender(RunEnvironment environment) {
                return new CuratorLock(PeerServer.ZOOKEEPER.address(), environment.name("locks"));
            }
        },
        ETCD {
            @Override
            LockImplementation contender(RunEnvironment environment) {
                return new EtcdLock(PeerServer.ETCD.address(), environment.name("locks."));
            }
        };

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

            assertThat(locks.acquire(LockRequest.of("bill", Duration.ofMinutes(1))))
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
        try (RedissonFencedLock contender = new RedissonFencedLock(PeerServer.REDIS.address(), environment.name(""))) {
            assertThat(contender.durability())
                    .matches("appendonly (yes|no), appendfsync (always|everysec|no), one server");
        }
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
