package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.benchmarks.result.StrategySummary;
import org.mongolocks.benchmarks.run.EmbeddedEnvironment;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.spi.LockStrategies;

class CommandCostProbeTest {
    @AutoClose
    private static final EmbeddedEnvironment SERVER = new EmbeddedEnvironment();

    private static final RunEnvironment BENCH = SERVER.environment();

    @ParameterizedTest
    @CsvSource({
        "insert-unique,                 1, 1, 1, 1, 1",
        "findandmodify-counter,         1, 1, 1, 1, 1",
        "flag-update,                   1, 1, 1, 1, 1",
        "optimistic-version,            2, 2, 1, 1, 1",
        "optimistic-version-clock-free, 2, 2, 1, 1, 1",
        "transactional,                 3, 3, 1, 1, 1"
    })
    void everyCommandOfAnOperationIsCounted(
            String strategy, double free, double released, double held, double renew, double release)
            throws InterruptedException {
        CommandCostProbe probe = new CommandCostProbe(BENCH.client(LockStrategies.named(strategy)), BENCH.commands());

        assertThat(probe.run(Duration.ofMillis(50)))
                .isEqualTo(Map.of(
                        StrategySummary.ACQUIRE_FREE, free,
                        StrategySummary.ACQUIRE_RELEASED, released,
                        StrategySummary.ACQUIRE_HELD, held,
                        StrategySummary.RENEW, renew,
                        StrategySummary.RELEASE, release,
                        StrategySummary.GRANTS_WHILE_HELD, 0.0));
    }
}
