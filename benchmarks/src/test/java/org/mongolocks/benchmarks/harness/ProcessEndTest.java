package org.mongolocks.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.EmbeddedBench;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.rival.Rival;
import org.mongolocks.benchmarks.rival.StrategyRival;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;

class ProcessEndTest {
    private static final Duration TTL = Duration.ofSeconds(1);
    private static final LockStrategy STRATEGY = LockStrategies.named("insert-unique");

    @AutoClose
    private final EmbeddedBench server = new EmbeddedBench();

    private final Workbench bench = server.bench();
    private final List<Rival> rivals = List.of(
            new StrategyRival(bench, STRATEGY, Client.SYNC), new StrategyRival(bench, STRATEGY, Client.REACTIVE));

    @AfterEach
    void stop() {
        rivals.forEach(Rival::close);
    }

    @Test
    void theLocksOfAKilledProcessAreGrantedToOthers() throws InterruptedException {
        assertTakenOver(new ProcessEnd(bench, rivals, TTL).run(DoomedProcess::kill));
    }

    @Test
    void aStoppedProcessNoticesThatOthersHaveItsLocks() throws InterruptedException {
        assertTakenOver(new ProcessEnd(bench, rivals, TTL).run(DoomedProcess::stop));
    }

    private static void assertTakenOver(List<Future<Takeover>> takeovers) throws InterruptedException {
        assertThat(takeovers).hasSize(2);
        for (Future<Takeover> takeover : takeovers) {
            assertThat(Together.result(takeover).violations().total()).isZero();
            assertThat(Together.result(takeover).nanos()).isPositive();
        }
    }
}
