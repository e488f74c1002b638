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
import org.mongolocks.benchmarks.run.EmbeddedBench;
import org.mongolocks.benchmarks.run.RunEnvironment;

/** Checks that the locks of other libraries are used correctly, because figures of a misused lock would be unfair. */
class OtherLibrariesTest {
    private static final LockRequest REQUEST = LockRequest.of("report", Duration.ofMinutes(1));

    @AutoClose
    private final EmbeddedBench server = new EmbeddedBench();

    private final RunEnvironment bench = server.bench();

    private enum Peer {
        SHEDLOCK {
            @Override
            LockImplementation rival(RunEnvironment bench) {
                return new ShedLockLock(bench);
            }
        },
        MONGOCK {
            @Override
            LockImplementation rival(RunEnvironment bench) {
                return new MongockLock(bench);
            }
        },
        REDISSON {
            @Override
            LockImplementation rival(RunEnvironment bench) {
                return new RedissonFencedLock(PeerServer.REDIS.address(), bench.name(""));
            }
        },
        CURATOR {
            @Override
            LockImplementation rival(RunEnvironment bench) {
                return new CuratorLock(PeerServer.ZOOKEEPER.address(), bench.name("locks"));
            }
        };

        abstract LockImplementation rival(RunEnvironment bench);
    }

    @ParameterizedTest
    @EnumSource
    void oneHasTheLockUntilItGivesItBack(Peer peer) throws InterruptedException {
        try (LockImplementation rival = peer.rival(bench);
                BenchmarkParticipant one = rival.open();
                BenchmarkParticipant other = rival.open()) {
            AcquiredLock grant = one.acquire(REQUEST).orElseThrow();

            assertThat(other.acquire(REQUEST)).isEmpty();
            assertThat(grant.release()).isTrue();
            assertThat(other.acquire(REQUEST)).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource
    void locksOfOtherNamesAreOtherLocks(Peer peer) throws InterruptedException {
        try (LockImplementation rival = peer.rival(bench);
                BenchmarkParticipant locks = rival.open()) {
            assertThat(locks.acquire(REQUEST)).isPresent();

            assertThat(locks.acquire(LockRequest.of("bill", Duration.ofMinutes(1))))
                    .isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SHEDLOCK", "MONGOCK"})
    void itsCommandsAreCounted(Peer peer) throws InterruptedException {
        try (LockImplementation rival = peer.rival(bench);
                BenchmarkParticipant locks = rival.open()) {
            long before = rival.commands().orElseThrow();

            locks.acquire(REQUEST).orElseThrow().release();

            assertThat(rival.commands().orElseThrow() - before).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SHEDLOCK")
    void whoWaitsGetsTheLock(Peer peer) throws InterruptedException {
        try (LockImplementation rival = peer.rival(bench);
                BenchmarkParticipant one = rival.open();
                BenchmarkParticipant other = rival.open()) {
            AcquiredLock grant = one.acquire(REQUEST).orElseThrow();
            CompletableFuture<Optional<AcquiredLock>> waiter = CompletableFuture.supplyAsync(() -> waited(other));

            assertThat(grant.release()).isTrue();

            assertThat(waiter.join()).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SHEDLOCK")
    void whoWaitsForAHeldLockGivesUp(Peer peer) throws InterruptedException {
        try (LockImplementation rival = peer.rival(bench);
                BenchmarkParticipant one = rival.open();
                BenchmarkParticipant other = rival.open()) {
            assertThat(one.acquire(REQUEST)).isPresent();

            assertThat(other.acquire(REQUEST.waitAtMost(Duration.ofMillis(1)))).isEmpty();
        }
    }

    @Test
    void tokensOfRedissonGrowUntilItsClientIsClosed() throws InterruptedException {
        try (LockImplementation rival = Peer.REDISSON.rival(bench)) {
            try (BenchmarkParticipant locks = rival.open()) {
                assertThat(tokenOf(locks)).hasValue(1);
                assertThat(tokenOf(locks)).hasValue(2);
            }
            try (BenchmarkParticipant locks = rival.open()) {
                assertThat(tokenOf(locks)).hasValue(1);
            }
        }
    }

    @Test
    void redisIsAskedHowDurableItIs() {
        try (RedissonFencedLock rival = new RedissonFencedLock(PeerServer.REDIS.address(), bench.name(""))) {
            assertThat(rival.durability()).matches("appendonly (yes|no), appendfsync (always|everysec|no), one server");
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
