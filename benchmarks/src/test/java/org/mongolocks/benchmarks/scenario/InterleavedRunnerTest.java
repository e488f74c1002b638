package org.mongolocks.benchmarks.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.RunLength;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun;
import org.mongolocks.benchmarks.run.EmbeddedBench;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.run.StubStrategy;
import org.mongolocks.benchmarks.sampling.BenchmarkFixture;
import org.mongolocks.benchmarks.sampling.MeasuredOperation;
import org.mongolocks.benchmarks.sampling.MeasuredOperations;
import org.mongolocks.spi.LockStrategy;

class InterleavedRunnerTest {
    private static final Duration FOREVER = Duration.ofDays(1);

    @AutoClose
    private final EmbeddedBench server = new EmbeddedBench();

    private final RunEnvironment bench = server.bench();

    @Test
    void aRaceEndsWithTheLapInWhichNobodyIsLeft() throws InterruptedException {
        BenchmarkContext session = race(
                Duration.ofSeconds(1),
                (field, strategy) -> List.of(MeasuredOperation.of(field.subject("alpha"), () -> {
                            throw new LockException("Broken");
                        })
                        .over(field.floor(Baseline.PING))));

        assertThat(session.isIn("alpha")).isFalse();
        assertThat(session.findings().measurements())
                .extracting(measurement -> measurement.value().repetitions())
                .isNotEmpty()
                .containsOnly(2);
    }

    @Test
    @Timeout(60)
    void aRaceOfNobodyEndsAtOnce() throws InterruptedException {
        assertThat(race(FOREVER, (field, strategy) -> List.of()).findings().measurements())
                .isEmpty();
    }

    @Test
    void aRaceWithoutTimeStillGivesFiguresOfAllWithTheirRatios() throws InterruptedException {
        BenchmarkContext session = race(
                Duration.ZERO,
                (field, strategy) -> List.of(
                        MeasuredOperation.of(field.subject("alpha"), () -> {}).over(field.floor(Baseline.PING))));

        assertThat(session.findings().measurements())
                .extracting(Measurement::subject)
                .contains(
                        MeasurementKey.of("B2", "alpha", Client.SYNC),
                        MeasurementKey.of("B2", "alpha", Client.REACTIVE),
                        MeasurementKey.of("B2", "floor-ping", Client.SYNC));
        assertThat(session.findings().measurements())
                .filteredOn(measurement -> measurement.metric().name().equals("latency"))
                .filteredOn(measurement -> measurement.subject().contender().equals("alpha"))
                .allSatisfy(measurement ->
                        assertThat(measurement.ratio().orElseThrow().to()).isEqualTo("floor-ping"));
    }

    private BenchmarkContext race(Duration time, MeasuredOperations.Maker maker) throws InterruptedException {
        Benchmark benchmark = new PairedBenchmark("B2", "a run", 1) {
            @Override
            List<MeasuredOperation> operations(BenchmarkFixture fixture, LockStrategy strategy)
                    throws InterruptedException {
                return maker.lanes(fixture, strategy);
            }
        };
        BenchmarkRun course = new BenchmarkRun(List.of(benchmark), RunLength.QUICK, time);
        return course.run(bench, List.of(new StubStrategy("alpha", Set.of())), (step, steps, what) -> {});
    }
}
