package org.mongolocks.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.lock.StrategyLock;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.EmbeddedEnvironment;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.sampling.ConcurrentTasks;
import org.mongolocks.benchmarks.workload.LeaseExpiryTakeover.Takeover;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;

@Tag("slow")
class HolderCrashRunTest {
    /** On a busy machine the process may start its second client only after seconds, with the first lock held. */
    private static final Duration TTL = Duration.ofSeconds(5);

    private static final LockStrategy STRATEGY = LockStrategies.named("insert-unique");

    @AutoClose
    private final EmbeddedEnvironment server = new EmbeddedEnvironment();

    private final RunEnvironment environment = server.environment();
    private final List<LockImplementation> contenders = List.of(
            new StrategyLock(environment, STRATEGY, Client.SYNC),
            new StrategyLock(environment, STRATEGY, Client.REACTIVE));

    @AfterEach
    void stop() {
        contenders.forEach(LockImplementation::close);
    }

    @Test
    void theLocksOfAKilledProcessAreGrantedToOthers() throws InterruptedException {
        assertTakenOver(new HolderCrashRun(environment, contenders, TTL).run(ClientProcess::kill));
    }

    @Test
    void aStoppedProcessNoticesThatOthersHaveItsLocks() throws InterruptedException {
        assertTakenOver(new HolderCrashRun(environment, contenders, TTL).run(ClientProcess::suspend));
    }

    private static void assertTakenOver(List<Future<Takeover>> takeovers) throws InterruptedException {
        assertThat(takeovers).hasSize(2);
        for (Future<Takeover> takeover : takeovers) {
            assertThat(ConcurrentTasks.result(takeover).violations().total()).isZero();
            assertThat(ConcurrentTasks.result(takeover).nanos()).isPositive();
        }
    }
}
