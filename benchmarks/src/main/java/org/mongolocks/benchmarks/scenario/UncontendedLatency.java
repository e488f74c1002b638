package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.lock.OtherLibraries;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.RunSummary;
import org.mongolocks.benchmarks.result.StrategySummary;
import org.mongolocks.benchmarks.run.Benchmark.Scenario;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.sampling.BaselineRatio;
import org.mongolocks.benchmarks.sampling.BaselineRatio.Bracket;
import org.mongolocks.benchmarks.sampling.BaselineRatio.Quartiles;
import org.mongolocks.benchmarks.sampling.BenchmarkFixture;
import org.mongolocks.benchmarks.sampling.CommandCostProbe;
import org.mongolocks.benchmarks.sampling.InterleavedRunner;
import org.mongolocks.benchmarks.sampling.InterleavedSamples;
import org.mongolocks.benchmarks.sampling.InterleavedSamples.Sample;
import org.mongolocks.benchmarks.sampling.MeasuredOperation;
import org.mongolocks.benchmarks.sampling.MeasuredOperations;
import org.mongolocks.benchmarks.sampling.MeasurementRecorder;
import org.mongolocks.benchmarks.sampling.UncontendedLock;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.sync.LockClient;

/**
 * The benchmark of an uncontended lock: acquire and release. The results of the synchronous client are also part of the
 * summary of the strategies. Other libraries take part in the rounds of the strategies.
 */
record UncontendedLatency(OtherLibraries peers) implements Scenario {
    private static final int COUNTING_SHARE = 8;

    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        Duration counting = time.dividedBy(COUNTING_SHARE);
        try (MeasuredOperations contenders = new MeasuredOperations(context);
                PeerOperations others = new PeerOperations(context, peers)) {
            List<MeasuredOperation> operations = new ArrayList<>(contenders.operations(UncontendedLatency::operations));
            operations.addAll(others.uncontended(contenders.fixture(Client.SYNC)));
            InterleavedRunner runner = new InterleavedRunner(context, operations);
            InterleavedSamples samples = runner.run(time.minus(counting));
            MeasurementRecorder recorder = new MeasurementRecorder(context, samples);
            runner.operations().forEach(recorder::latency);
            runner.operations().forEach(recorder::compare);
            summarize(context, counting, runner, samples);
        }
    }

    private static List<MeasuredOperation> operations(BenchmarkFixture fixture, LockStrategy strategy)
            throws InterruptedException {
        UncontendedLock lock = fixture.ownLock(strategy, fixture.locks(strategy));
        MeasuredOperation operation = MeasuredOperation.of(fixture.subject(strategy.name()), lock::acquireAndRelease);
        return List.of(
                operation.over(fixture.baseline(Baseline.of(strategy))),
                fixture.baseline(Baseline.TWO_FIND_AND_MODIFY));
    }

    /** Records the summary of the strategies: the same baseline for all, and the commands of each operation. */
    private static void summarize(
            BenchmarkContext context, Duration time, InterleavedRunner runner, InterleavedSamples samples)
            throws InterruptedException {
        Optional<MeasuredOperation> baseline = find(runner, RunSummary.BASELINE);
        baseline.map(operation -> samples.values(operation, Sample::p50Nanos))
                .filter(medians -> medians.length > 0)
                .ifPresent(medians -> summarize(
                        context,
                        RunSummary.BASELINE,
                        Map.of(
                                RunSummary.BASELINE_DRIFT,
                                Quartiles.of(Arrays.stream(medians)).drift())));
        Duration each = time.dividedBy(Math.max(1, context.strategies().size()));
        for (LockStrategy strategy : context.strategies()) {
            context.step("commands of " + strategy.name());
            List<Bracket> brackets = find(runner, strategy.name())
                    .flatMap(operation ->
                            baseline.map(against -> samples.brackets(operation, against, Sample::p50Nanos)))
                    .orElse(List.of());
            context.conclude(strategy.name(), () -> {
                summarize(context, strategy.name(), ratios(brackets));
                countCommands(context, strategy, each);
            });
        }
    }

    private static void countCommands(BenchmarkContext context, LockStrategy strategy, Duration time)
            throws InterruptedException {
        try (LockClient client = context.environment().client(strategy)) {
            Map<Metric, Double> counts = new CommandCostProbe(client, context.environment()).run(time);
            summarize(context, strategy.name(), counts);
            long wrong = (long) StrategySummary.figure(counts, StrategySummary.GRANTS_WHILE_HELD);
            if (wrong > 0) {
                context.judge(
                        strategy.name(),
                        MeasurementStatus.voided(
                                "More than one held the lock: granted " + wrong + " times while another held it"));
            }
        }
    }

    private static Map<Metric, Double> ratios(List<Bracket> brackets) {
        if (brackets.isEmpty()) {
            return Map.of();
        }
        BaselineRatio ratio = BaselineRatio.of(brackets);
        return Map.of(
                StrategySummary.RATIO, ratio.median(),
                StrategySummary.RATIO_LOWER, ratio.lower(),
                StrategySummary.RATIO_UPPER, ratio.upper(),
                StrategySummary.DRIFT, ratio.drift());
    }

    private static void summarize(BenchmarkContext context, String contender, Map<Metric, Double> figures) {
        MeasurementKey key = context.subject(contender, Client.SYNC);
        figures.forEach((metric, value) -> context.summarize(Measurement.of(key, metric, Estimate.once(value), 1)));
    }

    private static Optional<MeasuredOperation> find(InterleavedRunner runner, String contender) {
        return runner.operations().stream()
                .filter(operation -> operation.subject().contender().equals(contender))
                .filter(operation -> operation.subject().client() == Client.SYNC)
                .findFirst();
    }
}
