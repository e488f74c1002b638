package org.mongolocks.benchmarks.peer;

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
import org.mongolocks.benchmarks.EmbeddedBench;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.rival.Grant;
import org.mongolocks.benchmarks.rival.Party;
import org.mongolocks.benchmarks.rival.Rival;

/** Checks that the locks of other libraries are used correctly, because figures of a misused lock would be unfair. */
class PeersTest {
    private static final LockRequest REQUEST = LockRequest.of("report", Duration.ofMinutes(1));

    @AutoClose
    private final EmbeddedBench server = new EmbeddedBench();

    private final Workbench bench = server.bench();

    private enum Peer {
        SHEDLOCK {
            @Override
            Rival rival(Workbench bench) {
                return new ShedLockRival(bench);
            }
        },
        MONGOCK {
            @Override
            Rival rival(Workbench bench) {
                return new MongockRival(bench);
            }
        },
        REDISSON {
            @Override
            Rival rival(Workbench bench) {
                return new RedissonRival(PeerServer.REDIS.address(), bench.name(""));
            }
        },
        CURATOR {
            @Override
            Rival rival(Workbench bench) {
                return new CuratorRival(PeerServer.ZOOKEEPER.address(), bench.name("locks"));
            }
        };

        abstract Rival rival(Workbench bench);
    }

    @ParameterizedTest
    @EnumSource
    void oneHasTheLockUntilItGivesItBack(Peer peer) throws InterruptedException {
        try (Rival rival = peer.rival(bench);
                Party one = rival.open();
                Party other = rival.open()) {
            Grant grant = one.acquire(REQUEST).orElseThrow();

            assertThat(other.acquire(REQUEST)).isEmpty();
            assertThat(grant.release()).isTrue();
            assertThat(other.acquire(REQUEST)).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource
    void locksOfOtherNamesAreOtherLocks(Peer peer) throws InterruptedException {
        try (Rival rival = peer.rival(bench);
                Party locks = rival.open()) {
            assertThat(locks.acquire(REQUEST)).isPresent();

            assertThat(locks.acquire(LockRequest.of("bill", Duration.ofMinutes(1))))
                    .isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SHEDLOCK", "MONGOCK"})
    void itsCommandsAreCounted(Peer peer) throws InterruptedException {
        try (Rival rival = peer.rival(bench);
                Party locks = rival.open()) {
            long before = rival.commands().orElseThrow();

            locks.acquire(REQUEST).orElseThrow().release();

            assertThat(rival.commands().orElseThrow() - before).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SHEDLOCK")
    void whoWaitsGetsTheLock(Peer peer) throws InterruptedException {
        try (Rival rival = peer.rival(bench);
                Party one = rival.open();
                Party other = rival.open()) {
            Grant grant = one.acquire(REQUEST).orElseThrow();
            CompletableFuture<Optional<Grant>> waiter = CompletableFuture.supplyAsync(() -> waited(other));

            assertThat(grant.release()).isTrue();

            assertThat(waiter.join()).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SHEDLOCK")
    void whoWaitsForAHeldLockGivesUp(Peer peer) throws InterruptedException {
        try (Rival rival = peer.rival(bench);
                Party one = rival.open();
                Party other = rival.open()) {
            assertThat(one.acquire(REQUEST)).isPresent();

            assertThat(other.acquire(REQUEST.waitAtMost(Duration.ofMillis(1)))).isEmpty();
        }
    }

    @Test
    void tokensOfRedissonGrowUntilItsClientIsClosed() throws InterruptedException {
        try (Rival rival = Peer.REDISSON.rival(bench)) {
            try (Party locks = rival.open()) {
                assertThat(tokenOf(locks)).hasValue(1);
                assertThat(tokenOf(locks)).hasValue(2);
            }
            try (Party locks = rival.open()) {
                assertThat(tokenOf(locks)).hasValue(1);
            }
        }
    }

    @Test
    void redisIsAskedHowDurableItIs() {
        try (RedissonRival rival = new RedissonRival(PeerServer.REDIS.address(), bench.name(""))) {
            assertThat(rival.durability()).matches("appendonly (yes|no), appendfsync (always|everysec|no), one server");
        }
    }

    private static OptionalLong tokenOf(Party locks) throws InterruptedException {
        Grant grant = locks.acquire(REQUEST).orElseThrow();
        grant.release();
        return grant.fencingToken();
    }

    private static Optional<Grant> waited(Party locks) {
        try {
            return locks.acquire(REQUEST.waitAtMost(Duration.ofSeconds(20)));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
