package org.mongolocks.benchmarks.race;

import java.time.Duration;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.client.Baseline;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.BenchmarkContext;

/**
 * The benchmark of durability: the raw commands of all baselines, with the durability of a lock and with w:1. Their
 * ratio is the cost of durability.
 */
public final class DurabilityBenchmark implements Benchmark {
    private static final String ID = "B13";
    private static final int WEIGHT = 8;

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "the price of durability";
    }

    @Override
    public int weight() {
        return WEIGHT;
    }

    @Override
    public void run(BenchmarkContext session, Duration time) throws InterruptedException {
        try (MeasuredOperations lineup = new MeasuredOperations(session, ID);
                InterleavedRunner race = new InterleavedRunner(
                        session,
                        lineup.fields().stream()
                                .flatMap(DurabilityBenchmark::lanes)
                                .toList())) {
            MeasurementRecorder score = new MeasurementRecorder(session, race.run(time));
            race.lanes().forEach(score::latency);
        }
    }

    private static Stream<MeasuredOperation> lanes(BenchmarkFixture field) {
        return Stream.of(Baseline.values())
                .map(floor -> field.floor(floor, Baseline.DURABLE).over(field.floor(floor, Baseline.FAST)));
    }
}
