package org.mongolocks.benchmarks.race;

import java.time.Duration;
import java.util.List;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.BenchmarkContext;

/**
 * A paired benchmark: measures an operation of each strategy, with each client, in alternation with its baseline.
 *
 * @param id the id for {@code --only}
 * @param title what is measured
 * @param weight the share of the run time
 * @param maker creates the measured operations of a strategy
 */
record PairedBenchmark(String id, String title, int weight, MeasuredOperations.Maker maker) implements Benchmark {
    @Override
    public void run(BenchmarkContext session, Duration time) throws InterruptedException {
        try (MeasuredOperations lineup = new MeasuredOperations(session, id)) {
            List<MeasuredOperation> lanes = lineup.lanes(maker);
            try (InterleavedRunner race = new InterleavedRunner(session, lanes)) {
                MeasurementRecorder score = new MeasurementRecorder(session, race.run(time));
                race.lanes().forEach(score::latency);
            }
        }
    }
}
