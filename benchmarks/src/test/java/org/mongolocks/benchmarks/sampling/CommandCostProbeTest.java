package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.StrategySummary;
import org.mongolocks.benchmarks.run.EmbeddedEnvironment;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.sync.LockClient;

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
        assertThat(probe(strategy))
                .containsEntry(StrategySummary.ACQUIRE_FREE, free)
                .containsEntry(StrategySummary.ACQUIRE_RELEASED, released)
                .containsEntry(StrategySummary.ACQUIRE_HELD, held)
                .containsEntry(StrategySummary.RENEW, renew)
                .containsEntry(StrategySummary.RELEASE, release)
                .containsEntry(StrategySummary.GRANTS_WHILE_HELD, 0.0);
    }

    /** Planned queries and evaluated expressions of a grant of a released lock, and of its release. */
    @ParameterizedTest
    @CsvSource({
        "insert-unique,                 1, 0, 1, 0",
        "findandmodify-counter,         1, 0, 1, 0",
        "flag-update,                   1, 0, 1, 0",
        "optimistic-version,            1, 0, 1, 0",
        "optimistic-version-clock-free, 1, 0, 1, 0"
    })
    void releasedLockIsAcquiredAndReleasedWithoutExpressions(
            String strategy, double acquirePlans, double acquired, double releasePlans, double released)
            throws InterruptedException {
        assertThat(probe(strategy))
                .containsEntry(StrategySummary.PLANNED.apply(StrategySummary.ACQUIRE_RELEASED), acquirePlans)
                .containsEntry(StrategySummary.EVALUATED.apply(StrategySummary.ACQUIRE_RELEASED), acquired)
                .containsEntry(StrategySummary.PLANNED.apply(StrategySummary.RELEASE), releasePlans)
                .containsEntry(StrategySummary.EVALUATED.apply(StrategySummary.RELEASE), released);
    }

    private static Map<Metric, Double> probe(String strategy) throws InterruptedException {
        try (LockClient client = BENCH.client(LockStrategies.named(strategy))) {
            return new CommandCostProbe(client, BENCH).run(Duration.ofMillis(50));
        }
    }
}
