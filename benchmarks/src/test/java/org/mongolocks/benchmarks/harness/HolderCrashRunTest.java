package org.mongolocks.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.EmbeddedBench;
import org.mongolocks.benchmarks.harness.LeaseExpiryTakeover.Takeover;
import org.mongolocks.benchmarks.measure.RunEnvironment;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.rival.LockImplementation;
import org.mongolocks.benchmarks.rival.StrategyLock;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;

class HolderCrashRunTest {
    private static final Duration TTL = Duration.ofSeconds(1);
    private static final LockStrategy STRATEGY = LockStrategies.named("insert-unique");

    @AutoClose
    private final EmbeddedBench server = new EmbeddedBench();

    private final RunEnvironment bench = server.bench();
    private final List<LockImplementation> rivals =
            List.of(new StrategyLock(bench, STRATEGY, Client.SYNC), new StrategyLock(bench, STRATEGY, Client.REACTIVE));

    @AfterEach
    void stop() {
        rivals.forEach(LockImplementation::close);
    }

    @Test
    void theLocksOfAKilledProcessAreGrantedToOthers() throws InterruptedException {
        assertTakenOver(new HolderCrashRun(bench, rivals, TTL).run(KilledHolderProcess::kill));
    }

    @Test
    void aStoppedProcessNoticesThatOthersHaveItsLocks() throws InterruptedException {
        assertTakenOver(new HolderCrashRun(bench, rivals, TTL).run(KilledHolderProcess::stop));
    }

    private static void assertTakenOver(List<Future<Takeover>> takeovers) throws InterruptedException {
        assertThat(takeovers).hasSize(2);
        for (Future<Takeover> takeover : takeovers) {
            assertThat(ConcurrentTasks.result(takeover).violations().total()).isZero();
            assertThat(ConcurrentTasks.result(takeover).nanos()).isPositive();
        }
    }
}
