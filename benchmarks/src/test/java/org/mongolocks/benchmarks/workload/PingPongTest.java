package org.mongolocks.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.LocksInMemory;
import org.mongolocks.benchmarks.lock.StrategyLock;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.EmbeddedBench;
import org.mongolocks.benchmarks.run.ProtectedData;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.workload.PingPong.HandOffTiming;
import org.mongolocks.spi.LockStrategies;

class PingPongTest {
    @AutoClose
    private final EmbeddedBench server = new EmbeddedBench();

    private final RunEnvironment bench = server.bench();
    private final ProtectedData data = bench.protectedData("relay");

    @Test
    void twoHandALockToEachOtherThoughThereIsNoTime() throws InterruptedException {
        assertThat(relay(new LocksInMemory(1)).getTotalCount()).isEqualTo(1);

        assertThat(data.violations().total()).isZero();
    }

    @Test
    void aLockThatLetsTwoInIsSeenByTheData() throws InterruptedException {
        relay(new LocksInMemory(2));

        assertThat(data.violations().total()).isPositive();
    }

    @Test
    void twoClientsHandALockToEachOther() throws InterruptedException {
        try (LockImplementation rival = new StrategyLock(bench, LockStrategies.named("insert-unique"), Client.SYNC)) {
            assertThat(relay(rival).getTotalCount()).isPositive();
        }

        assertThat(data.violations().total()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void theFloorOfEachDriverHandsOverToo(Client client) throws InterruptedException {
        try (LockImplementation floor = new HandOffBaseline(bench, client)) {
            assertThat(relay(floor).getTotalCount()).isPositive();
        }

        assertThat(data.violations().total()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void theEventOfAnInsertIsTimed(Client client) throws InterruptedException {
        assertThat(new NotificationBaseline(bench, client).run(Duration.ZERO).getTotalCount())
                .isEqualTo(1);
    }

    private Histogram relay(LockImplementation rival) throws InterruptedException {
        LockRequest request = LockRequest.of("relay", RunEnvironment.TTL).waitAtMost(Duration.ofSeconds(20));
        try (BenchmarkParticipant first = rival.open();
                BenchmarkParticipant second = rival.open()) {
            return new PingPong(request, data, HandOffTiming.measured(rival.waiting(), Duration.ZERO))
                    .run(first, second);
        }
    }
}
