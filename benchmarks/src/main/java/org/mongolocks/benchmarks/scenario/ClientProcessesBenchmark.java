package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.run.Benchmark.Scenario;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.sampling.RoundFigures;
import org.mongolocks.benchmarks.sampling.Rounds;
import org.mongolocks.benchmarks.sampling.Rounds.Round;
import org.mongolocks.benchmarks.workload.ContendingProcesses;
import org.mongolocks.benchmarks.workload.ContentionResult;
import org.mongolocks.benchmarks.workload.ProcessContention;
import org.mongolocks.spi.LockStrategy;

/**
 * The benchmark of one lock that a growing number of processes contend for, each with one thread and a client of its
 * own. Each holds the lock for a millisecond.
 */
final class ClientProcessesBenchmark implements Scenario {
    /** The time of a contention of a few processes. More get as much more time, so that each has its share of it. */
    private static final Duration TURN = Duration.ofMillis(300);

    private static final int A_FEW = 4;

    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        try (ContendingProcesses processes = new ContendingProcesses(context.environment())) {
            new ProcessRounds(context, processes).run(time);
        }
    }

    /** Returns the numbers of processes, the largest first, so that all processes start at the same time. */
    private static List<Integer> processes(RunLength mode) {
        return switch (mode) {
            case QUICK -> List.of(4);
            case NORMAL -> List.of(16, 8, 4, 2, 1);
            case FULL -> List.of(64, 32, 16, 8, 4, 2, 1);
        };
    }

    /** The rounds of the benchmark: in each round, every strategy runs with every client and number of processes. */
    private static final class ProcessRounds {
        private static final Metric EVENTS = new Metric("eventsPerGrant", "commands");
        /** A server that grants nothing in this time is left alone. */
        private static final Duration MAX_TURN = Duration.ofSeconds(20);

        private record Cell(LockStrategy strategy, Client client, int processes) {}

        private final BenchmarkContext context;
        private final ContendingProcesses processes;
        private final SortedMap<Integer, RoundFigures> results = new TreeMap<>();

        ProcessRounds(BenchmarkContext context, ContendingProcesses processes) {
            this.context = context;
            this.processes = processes;
        }

        void run(Duration time) throws InterruptedException {
            List<LockStrategy> strategies = context.strategies();
            List<Integer> numbers = processes(context.mode());
            for (LockStrategy strategy : strategies) {
                context.attempt(
                        strategy.name(),
                        () -> context.environment()
                                .driver(Client.SYNC)
                                .locks(strategy, context.environment().name(strategy.name()))
                                .close());
            }
            int turns = numbers.stream().mapToInt(ProcessRounds::turns).sum();
            int samples = strategies.size() * Client.values().length * turns;
            Rounds rounds = Rounds.within(context, time, samples, TURN);
            rounds.each(round -> {
                for (int number : numbers) {
                    for (LockStrategy strategy : round.inOrder(strategies)) {
                        for (Client client : Client.values()) {
                            Cell cell = new Cell(strategy, client, number);
                            Duration turn = rounds.sampleTime().multipliedBy(turns(number));
                            context.attempt(strategy.name(), () -> contend(cell, turn, round));
                        }
                    }
                }
            });
            results.values().forEach(figures -> figures.record(context, Estimate::mean));
        }

        private static int turns(int processes) {
            return Math.max(1, processes / A_FEW);
        }

        /** Repeats a contention in which a busy machine handed nothing over, with twice the time. */
        private void contend(Cell cell, Duration time, Round round) throws InterruptedException {
            ProcessContention result = processes.contend(cell.processes(), cell.strategy(), cell.client(), time);
            context.judge(cell.strategy().name(), result.totals().violations());
            boolean isIdle = result.handOverNanos().getTotalCount() == 0;
            if (isIdle && time.compareTo(MAX_TURN) < 0 && context.admit(time.multipliedBy(2))) {
                contend(cell, time.multipliedBy(2), round);
            } else {
                add(cell, round, result);
            }
        }

        private void add(Cell cell, Round round, ProcessContention result) {
            RoundFigures figures = results.computeIfAbsent(cell.processes(), unknown -> new RoundFigures());
            MeasurementKey subject =
                    context.subject(cell.strategy().name(), cell.client()).with("clients", cell.processes());
            ContentionResult totals = result.totals();
            if (result.handOverNanos().getTotalCount() > 0) {
                figures.add(round, subject, result.handOverNanos());
            }
            figures.add(round, subject, Metric.THROUGHPUT, totals.grantsPerSecond(), totals.grants());
            figures.add(round, subject, Metric.COMMANDS_PER_GRANT, totals.commandsPerGrant(), totals.grants());
            figures.add(round, subject, EVENTS, result.eventsPerGrant(), totals.grants());
            figures.add(round, subject, Metric.JAIN, totals.fairness(), totals.grants());
            figures.add(round, subject, Metric.MAX_WAIT, (double) totals.longestWaitNanos(), totals.grants());
        }
    }
}
