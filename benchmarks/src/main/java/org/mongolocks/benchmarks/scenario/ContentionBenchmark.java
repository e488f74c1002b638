package org.mongolocks.benchmarks.scenario;

import static java.util.Comparator.comparingInt;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.lock.OtherLibraries;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.PairedDifference.Series;
import org.mongolocks.benchmarks.result.StrategySummary;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.run.ProtectedData;
import org.mongolocks.benchmarks.sampling.RoundBudget;
import org.mongolocks.benchmarks.sampling.Rounds;
import org.mongolocks.benchmarks.sampling.Rounds.Round;
import org.mongolocks.benchmarks.workload.ContentionResult;
import org.mongolocks.benchmarks.workload.ContentionScenario;

/**
 * The benchmark of a contended lock, for a growing number of waiters: grants per second, commands per grant, fairness,
 * and the longest wait. All waiters share one client. The number of workers is one more than the number of waiters;
 * under the lock they read data and write it back.
 *
 * @param peers the locks of other libraries
 */
public record ContentionBenchmark(OtherLibraries peers) implements Benchmark {
    static final String ID = "B6";

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "contention";
    }

    @Override
    public int weight() {
        return 34;
    }

    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        try (LocksUnderTest contenders = LocksUnderTest.ofAll(context, peers)) {
            new ContentionRounds(context, contenders).run(time);
        }
    }

    /**
     * The rounds of the contention benchmark: in each round, every lock under test runs with every number of waiters,
     * and again in the scenario by which the locks are compared.
     * The results of the synchronous client are also part of the summary of the strategies.
     */
    static final class ContentionRounds {
        private static final Duration TURN = Duration.ofMillis(350);
        private static final Duration TURN_IF_QUICK = Duration.ofMillis(200);
        /** How often the decisive scenario runs in a round, so that three rounds are six for the comparison. */
        private static final int DECISIVE_TIMES = 2;

        /** The waiters of the decisive scenario, which comes first in a round: its rounds must be complete. */
        private static final int MANY = 256;

        private static final int MANY_IF_QUICK = 64;

        private record Cell(LockImplementation contender, ContentionScenario scenario) {}

        private final BenchmarkContext context;
        private final LocksUnderTest contenders;
        private final Map<Cell, FairnessMeter> results = new LinkedHashMap<>();

        ContentionRounds(BenchmarkContext context, LocksUnderTest contenders) {
            this.context = context;
            this.contenders = contenders;
        }

        void run(Duration time) throws InterruptedException {
            List<LockImplementation> waiting = contenders.supportingWait();
            List<ContentionScenario> scenarios = scenarios(context.mode());
            ContentionScenario decisive = decisive(scenarios);
            boolean isQuick = context.mode() == RunLength.QUICK;
            int times = isQuick ? 1 : DECISIVE_TIMES;
            int samples = waiting.size() * (scenarios.size() + times - 1);
            RoundBudget budget = RoundBudget.of(context, time, RoundBudget.FOR_AN_INTERVAL);
            Rounds rounds = Rounds.within(context, budget, samples, isQuick ? TURN_IF_QUICK : TURN);
            rounds.each(round -> {
                for (ContentionScenario scenario : scenarios) {
                    for (Round part : round.parts(scenario.equals(decisive) ? times : 1)) {
                        contenders.each(
                                part.inOrder(waiting),
                                contender -> contend(new Cell(contender, scenario), rounds.sampleTime(), part));
                    }
                }
            });
            results.forEach(this::record);
            results.forEach((cell, shares) -> compare(cell, shares, decisive));
        }

        /** Returns the scenario by which the locks are compared: the most waiters, without work under the lock. */
        private static ContentionScenario decisive(List<ContentionScenario> scenarios) {
            return scenarios.stream()
                    .filter(scenario -> scenario.section().isZero())
                    .max(comparingInt(ContentionScenario::waiters))
                    .orElseThrow();
        }

        private static List<ContentionScenario> scenarios(RunLength mode) {
            return switch (mode) {
                case QUICK -> List.of(ContentionScenario.of(MANY_IF_QUICK, 0));
                case NORMAL -> waiters(0).toList();
                case FULL ->
                    Stream.of(0, 1, 10).flatMap(ContentionRounds::waiters).toList();
            };
        }

        private static Stream<ContentionScenario> waiters(int sectionMillis) {
            return Stream.concat(Stream.of(MANY), StrategySummary.WAITERS.stream())
                    .map(waiters -> ContentionScenario.of(waiters, sectionMillis));
        }

        private void contend(Cell cell, Duration time, Round round) throws InterruptedException {
            LockImplementation contender = cell.contender();
            ProtectedData data = context.environment().protectedData(contender.id());
            try {
                ContentionResult result = cell.scenario().contend(contender, data, time);
                if (round.counts()) {
                    results.computeIfAbsent(cell, unknown -> new FairnessMeter())
                            .add(round, result);
                }
            } finally {
                context.judge(contender.id(), data.violations());
            }
        }

        private void record(Cell cell, FairnessMeter shares) {
            shares.record(context, cell.contender(), cell.scenario());
            boolean isInSummary = cell.contender().client() == Client.SYNC
                    && cell.scenario().section().isZero()
                    && StrategySummary.WAITERS.contains(cell.scenario().waiters());
            if (isInSummary) {
                shares.summarize(context, cell.contender(), cell.scenario());
            }
        }

        private void compare(Cell cell, FairnessMeter shares, ContentionScenario decisive) {
            if (cell.scenario().equals(decisive)) {
                context.compare(shares.grantsPerSecond(cell.contender(), decisive));
            }
        }

        /** The results of a contention scenario, by round. */
        static final class FairnessMeter {
            private final SortedMap<Integer, ContentionResult> results = new TreeMap<>();

            void add(Round round, ContentionResult result) {
                results.put(round.number(), result);
            }

            /** Returns the sum of all rounds. */
            ContentionResult total() {
                return ContentionResult.total(List.copyOf(results.values()));
            }

            /** Returns the grants per second of each round. */
            Series grantsPerSecond(LockImplementation contender, ContentionScenario scenario) {
                SortedMap<Integer, Double> byRound = new TreeMap<>();
                results.forEach((round, result) -> byRound.put(round, result.grantsPerSecond()));
                return new Series(subject(contender, scenario), Metric.THROUGHPUT, byRound);
            }

            private static MeasurementKey subject(LockImplementation contender, ContentionScenario scenario) {
                return MeasurementKey.of(ContentionBenchmark.ID, contender.id(), contender.client())
                        .with(StrategySummary.WAITERS_PARAMETER, scenario.waiters())
                        .with("sectionMillis", scenario.section().toMillis());
            }

            void record(BenchmarkContext context, LockImplementation contender, ContentionScenario scenario) {
                MeasurementKey subject = subject(contender, scenario);
                context.record(of(subject, Metric.THROUGHPUT, ContentionResult::grantsPerSecond));
                context.record(of(subject, Metric.JAIN, ContentionResult::fairness));
                context.record(of(subject, Metric.MAX_WAIT, ContentionResult::longestWaitNanos));
                if (contender.commands().isPresent()) {
                    context.record(of(subject, Metric.COMMANDS_PER_GRANT, ContentionResult::commandsPerGrant));
                }
            }

            /** Records the sum of all rounds for the summary of the strategies. */
            void summarize(BenchmarkContext context, LockImplementation contender, ContentionScenario scenario) {
                MeasurementKey key = MeasurementKey.of(ContentionBenchmark.ID, contender.id(), contender.client())
                        .with(StrategySummary.WAITERS_PARAMETER, scenario.waiters());
                total().summary()
                        .forEach((metric, value) ->
                                context.summarize(Measurement.of(key, metric, Estimate.once(value), total().grants())));
            }

            private Measurement of(MeasurementKey subject, Metric metric, ToDoubleFunction<ContentionResult> figure) {
                double[] values = results.values().stream().mapToDouble(figure).toArray();
                return Measurement.of(subject, metric, Estimate.mean(values), total().grants());
            }
        }
    }
}
