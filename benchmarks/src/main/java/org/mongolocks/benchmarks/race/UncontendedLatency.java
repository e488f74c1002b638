package org.mongolocks.benchmarks.race;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.benchmarks.client.Baseline;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.BenchmarkContext;
import org.mongolocks.benchmarks.measure.UncontendedResult;
import org.mongolocks.benchmarks.measure.UncontendedTable;
import org.mongolocks.spi.LockStrategy;

/**
 * The benchmark of an uncontended lock: acquire and release. The results of the synchronous client are also part of the
 * table of strategies.
 */
public final class UncontendedLatency implements Benchmark {
    private static final String ID = "B1";
    private static final int COUNTING_SHARE = 8;
    private static final int WEIGHT = 16;

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "acquire and release, and the table";
    }

    @Override
    public int weight() {
        return WEIGHT;
    }

    @Override
    public void run(BenchmarkContext session, Duration time) throws InterruptedException {
        Duration counting = time.dividedBy(COUNTING_SHARE);
        try (MeasuredOperations lineup = new MeasuredOperations(session, ID)) {
            List<MeasuredOperation> lanes = lineup.lanes(UncontendedLatency::lanes);
            try (InterleavedRunner race = new InterleavedRunner(session, lanes)) {
                InterleavedSamples laps = race.run(time.minus(counting));
                MeasurementRecorder score = new MeasurementRecorder(session, laps);
                race.lanes().forEach(score::latency);
                compare(session, counting, new Table(race, laps));
            }
        }
    }

    private static List<MeasuredOperation> lanes(BenchmarkFixture field, LockStrategy strategy)
            throws InterruptedException {
        UncontendedLock lock = field.ownLock(strategy, field.locks(strategy));
        MeasuredOperation lane = MeasuredOperation.of(field.subject(strategy.name()), lock::acquireAndRelease);
        return List.of(lane.over(field.floor(Baseline.of(strategy))), field.floor(Baseline.TWO_FIND_AND_MODIFY));
    }

    private static void compare(BenchmarkContext session, Duration time, Table table) throws InterruptedException {
        Map<String, UncontendedResult> alone = new HashMap<>();
        for (LockStrategy strategy : session.strategies()) {
            table.alone(strategy).ifPresent(figures -> alone.put(strategy.name(), figures));
        }
        new UncontendedTable(session, time, alone).run(table.floor());
    }
}
