package org.mongolocks.benchmarks.scenario;

import static java.util.Comparator.comparingInt;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.lock.OtherLibraries;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.run.Benchmark.Scenario;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.run.ProtectedData;
import org.mongolocks.benchmarks.sampling.RoundBudget;
import org.mongolocks.benchmarks.sampling.RoundFigures;
import org.mongolocks.benchmarks.sampling.Rounds;
import org.mongolocks.benchmarks.sampling.Rounds.Round;
import org.mongolocks.benchmarks.workload.ContentionResult;
import org.mongolocks.benchmarks.workload.ContentionScenario;

/**
 * The benchmark of a contended lock, for a growing number of waiters: grants per second, commands per grant, fairness,
 * and the longest wait. All waiters share one client. The number of workers is one more than the number of waiters;
 * under the lock they read data and write it back.
 */
record ContentionBenchmark(OtherLibraries peers) implements Scenario {
    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        try (LocksUnderTest contenders = LocksUnderTest.ofAll(context, peers)) {
            new ContentionRounds(context, contenders).run(time);
        }
    }

    /**
     * The rounds of the contention benchmark: in each round, every lock under test runs with every number of waiters,
     * and again in the scenario by which the locks are compared.
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
        private final List<ContentionScenario> scenarios;
        private final ContentionScenario decisive;
        private final RoundFigures figures = new RoundFigures();
        private final RoundFigures decisiveFigures = new RoundFigures();

        ContentionRounds(BenchmarkContext context, LocksUnderTest contenders) {
            this.context = context;
            this.contenders = contenders;
            this.scenarios = scenarios(context.mode());
            this.decisive = decisive(scenarios);
        }

        void run(Duration time) throws InterruptedException {
            List<LockImplementation> waiting = contenders.supportingWait();
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
            figures.record(context, Estimate::mean);
            decisiveFigures.compare(context, Metric.THROUGHPUT);
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
            return Stream.concat(Stream.of(MANY), Stream.of(1, 8, 64))
                    .map(waiters -> ContentionScenario.of(waiters, sectionMillis));
        }

        private void contend(Cell cell, Duration time, Round round) throws InterruptedException {
            LockImplementation contender = cell.contender();
            ProtectedData data = context.environment().protectedData(contender.id());
            try {
                ContentionResult result = cell.scenario().contend(contender, data, time);
                if (round.counts()) {
                    add(cell, round, result);
                }
            } finally {
                context.judge(contender.id(), data.violations());
            }
        }

        private void add(Cell cell, Round round, ContentionResult result) {
            LockImplementation contender = cell.contender();
            MeasurementKey subject = context.subject(contender.id(), contender.client())
                    .with("waiters", cell.scenario().waiters())
                    .with("sectionMillis", cell.scenario().section().toMillis());
            figures.add(round, subject, Metric.THROUGHPUT, result.grantsPerSecond(), result.grants());
            figures.add(round, subject, Metric.JAIN, result.fairness(), result.grants());
            figures.add(round, subject, Metric.MAX_WAIT, (double) result.longestWaitNanos(), result.grants());
            if (contender.commands().isPresent()) {
                figures.add(round, subject, Metric.COMMANDS_PER_GRANT, result.commandsPerGrant(), result.grants());
            }
            if (cell.scenario().equals(decisive)) {
                decisiveFigures.add(round, subject, Metric.THROUGHPUT, result.grantsPerSecond(), result.grants());
            }
        }
    }
}
