package org.mongolocks.benchmarks.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.EmbeddedBench;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.rival.Grant;
import org.mongolocks.benchmarks.rival.Party;
import org.mongolocks.benchmarks.rival.Rival;

/** Checks that the locks of others are used as they are meant to be: a figure of a misused lock would be slander. */
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
    @EnumSource
    void itsCommandsAreCounted(Peer peer) throws InterruptedException {
        try (Rival rival = peer.rival(bench);
                Party locks = rival.open()) {
            long before = rival.commands().orElseThrow();

            locks.acquire(REQUEST).orElseThrow().release();

            assertThat(rival.commands().orElseThrow() - before).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MONGOCK")
    void whoWaitsGetsTheLock(Peer peer) throws InterruptedException {
        try (Rival rival = peer.rival(bench);
                Party locks = rival.open()) {
            Grant grant = locks.acquire(REQUEST).orElseThrow();
            Thread holder = new Thread(grant::release);
            holder.start();

            assertThat(locks.acquire(REQUEST.waitAtMost(Duration.ofSeconds(20))))
                    .isPresent();
            holder.join();
        }
    }
}
