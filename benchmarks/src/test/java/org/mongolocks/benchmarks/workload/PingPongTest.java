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
import org.mongolocks.benchmarks.run.EmbeddedEnvironment;
import org.mongolocks.benchmarks.run.ProtectedData;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.workload.PingPong.HandOffTiming;
import org.mongolocks.spi.LockStrategies;

class PingPongTest {
    @AutoClose
    private final EmbeddedEnvironment server = new EmbeddedEnvironment();

    private final RunEnvironment environment = server.environment();
    private final ProtectedData data = environment.protectedData("relay");

    @Test
    void twoClientsAlternateWithoutTimeLeft() throws InterruptedException {
        assertThat(handOff(new LocksInMemory(1)).getTotalCount()).isEqualTo(1);

        assertThat(data.violations().total()).isZero();
    }

    /** Whether two holders are inside at the same moment is up to the scheduler, so that some runs may be needed. */
    @Test
    void simultaneousHoldersAreDetected() throws InterruptedException {
        while (data.violations().total() == 0) {
            handOff(new LocksInMemory(2));
        }
    }

    @Test
    void twoClientsAlternate() throws InterruptedException {
        try (LockImplementation contender =
                new StrategyLock(environment, LockStrategies.named("insert-unique"), Client.SYNC)) {
            assertThat(handOff(contender).getTotalCount()).isPositive();
        }

        assertThat(data.violations().total()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void baselineOfEachDriverAlternates(Client client) throws InterruptedException {
        try (LockImplementation baseline = new HandOffBaseline(environment, client)) {
            assertThat(handOff(baseline).getTotalCount()).isPositive();
        }

        assertThat(data.violations().total()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void theEventOfAnInsertIsTimed(Client client) throws InterruptedException {
        assertThat(new NotificationBaseline(environment, client)
                        .run(Duration.ZERO)
                        .getTotalCount())
                .isEqualTo(1);
    }

    private Histogram handOff(LockImplementation contender) throws InterruptedException {
        LockRequest request =
                LockRequest.of("relay", RunEnvironment.TTL).fixedLease().waitAtMost(Duration.ofSeconds(20));
        try (BenchmarkParticipant first = contender.open();
                BenchmarkParticipant second = contender.open()) {
            return new PingPong(request, data, HandOffTiming.measured(contender.waiting(), Duration.ZERO))
                    .run(first, second);
        }
    }
}
