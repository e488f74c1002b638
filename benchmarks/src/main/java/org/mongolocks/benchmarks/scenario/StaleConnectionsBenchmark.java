package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.run.Benchmark.Scenario;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.sampling.ConcurrentTasks;
import org.mongolocks.benchmarks.sampling.RoundBudget;
import org.mongolocks.benchmarks.sampling.RoundFigures;
import org.mongolocks.benchmarks.sampling.Rounds;
import org.mongolocks.benchmarks.sampling.Rounds.Round;
import org.mongolocks.benchmarks.workload.SilentConnectionsRun;
import org.mongolocks.benchmarks.workload.SilentConnectionsRun.Recovery;
import org.mongolocks.spi.LockStrategy;

/**
 * The benchmark of connections that become silent without being closed, under a lock that is kept alive. All strategies
 * and clients are measured at the same time, each through a proxy of its own. If all connections are silent, new ones
 * too, the holder must know the loss of its lock; if only those in the pool are, keep-alive must find a new one.
 */
final class StaleConnectionsBenchmark implements Scenario {
    private static final Duration SHORT_TTL = Duration.ofSeconds(1);
    private static final Duration TTL = Duration.ofSeconds(2);

    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        if (context.environment().isEncrypted()) {
            context.remark("B16: not measured: the proxy cannot read encrypted connections.");
            return;
        }
        Duration ttl = context.mode() == RunLength.QUICK ? SHORT_TTL : TTL;
        SilentRounds rounds = new SilentRounds(context, ttl);
        Rounds.repeat(context, RoundBudget.of(context, time, 1), rounds::run);
        rounds.figures.record(context, Estimate::median);
        rounds.outlived.record(
                context, shares -> Estimate.once(Estimate.mean(shares).value()));
    }

    /** The rounds of the benchmark, each with a loss and a recovery of every strategy and client. */
    private static final class SilentRounds {
        private static final Metric LOSS = new Metric("lossSignal", "ns");
        private static final Metric LOSS_PER_TTL = new Metric("lossSignalPerTtl", "ratio");
        private static final Metric REPLY = new Metric("firstReply", "ns");
        private static final Metric COMMANDS = new Metric("commandsUntilReply", "commands");
        private static final Metric OUTLIVED = new Metric("outlived", "ratio");

        private final BenchmarkContext context;
        private final Duration ttl;
        private final RoundFigures figures = new RoundFigures();
        private final RoundFigures outlived = new RoundFigures();

        SilentRounds(BenchmarkContext context, Duration ttl) {
            this.context = context;
            this.ttl = ttl;
        }

        void run(Round round) throws InterruptedException {
            List<MeasurementKey> subjects = new ArrayList<>();
            List<FutureTask<Long>> losses = new ArrayList<>();
            List<FutureTask<Recovery>> recoveries = new ArrayList<>();
            for (LockStrategy strategy : context.strategies()) {
                for (Client client : Client.values()) {
                    subjects.add(context.subject(strategy.name(), client).with("ttlMillis", ttl.toMillis()));
                    losses.add(new FutureTask<>(() -> lose(strategy, client)));
                    recoveries.add(new FutureTask<>(() -> recover(strategy, client)));
                }
            }
            ConcurrentTasks.settle(Stream.concat(losses.stream(), recoveries.stream())
                    .map(Executors::callable)
                    .toList());
            for (int number = 0; number < subjects.size(); number++) {
                keep(round, subjects.get(number), losses.get(number), recoveries.get(number));
            }
        }

        private long lose(LockStrategy strategy, Client client) throws InterruptedException {
            try (SilentConnectionsRun run = new SilentConnectionsRun(context.environment(), strategy, client, ttl)) {
                return run.lossNanos();
            }
        }

        private Recovery recover(LockStrategy strategy, Client client) throws InterruptedException {
            try (SilentConnectionsRun run = new SilentConnectionsRun(context.environment(), strategy, client, ttl)) {
                return run.recover();
            }
        }

        private void keep(Round round, MeasurementKey subject, Future<Long> lost, Future<Recovery> recovered)
                throws InterruptedException {
            context.attempt(subject.contender(), () -> {
                long lossNanos = ConcurrentTasks.result(lost);
                Recovery recovery = ConcurrentTasks.result(recovered);
                MeasurementKey stale = subject.with("staleConnections", SilentConnectionsRun.POOLED);
                figures.add(round, subject, LOSS, (double) lossNanos, 1);
                figures.add(round, subject, LOSS_PER_TTL, (double) lossNanos / ttl.toNanos(), 1);
                recovery.nanos().ifPresent(nanos -> {
                    figures.add(round, stale, REPLY, (double) nanos, 1);
                    figures.add(round, stale, COMMANDS, (double) recovery.commands(), 1);
                });
                outlived.add(round, stale, OUTLIVED, recovery.nanos().isPresent() ? 1 : 0, 1);
            });
        }
    }
}
