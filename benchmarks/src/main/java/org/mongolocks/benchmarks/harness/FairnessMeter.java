package org.mongolocks.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.mongolocks.benchmarks.measure.BenchmarkContext;
import org.mongolocks.benchmarks.measure.ContentionResult;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.StrategySummary;
import org.mongolocks.benchmarks.rival.LockImplementation;

/** The results of a contention scenario, by turn. */
final class FairnessMeter {
    private final List<ContentionResult> turns = new ArrayList<>();

    void add(ContentionResult turn) {
        turns.add(turn);
    }

    /** Returns the sum of all turns. */
    ContentionResult total() {
        return ContentionResult.total(turns);
    }

    void record(BenchmarkContext session, LockImplementation rival, ContentionScenario crowd) {
        MeasurementKey subject = MeasurementKey.of(ContentionBenchmark.ID, rival.id(), rival.client())
                .with(StrategySummary.WAITERS_PARAMETER, crowd.waiters())
                .with("sectionMillis", crowd.section().toMillis());
        session.record(of(subject, Metric.THROUGHPUT, ContentionResult::grantsPerSecond));
        session.record(of(subject, Metric.JAIN, ContentionResult::fairness));
        session.record(of(subject, Metric.MAX_WAIT, ContentionResult::longestWaitNanos));
        if (rival.commands().isPresent()) {
            session.record(of(subject, Metric.COMMANDS_PER_GRANT, ContentionResult::commandsPerGrant));
        }
    }

    /** Records the sum of all turns for the summary of the strategies. */
    void summarize(BenchmarkContext session, LockImplementation rival, ContentionScenario crowd) {
        MeasurementKey key = MeasurementKey.of(ContentionBenchmark.ID, rival.id(), rival.client())
                .with(StrategySummary.WAITERS_PARAMETER, crowd.waiters());
        total().summary()
                .forEach((metric, value) ->
                        session.summarize(Measurement.of(key, metric, Estimate.once(value), total().grants())));
    }

    private Measurement of(MeasurementKey subject, Metric metric, ToDoubleFunction<ContentionResult> figure) {
        double[] values = turns.stream().mapToDouble(figure).toArray();
        return Measurement.of(subject, metric, Estimate.mean(values), total().grants());
    }
}
