package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.sampling.ConcurrentTasks;
import org.mongolocks.benchmarks.sampling.RoundBudget;
import org.mongolocks.benchmarks.workload.SilentConnectionsRun;
import org.mongolocks.benchmarks.workload.SilentConnectionsRun.Recovery;
import org.mongolocks.spi.LockStrategy;

/**
 * The benchmark of connections that become silent without being closed, under a lock that is kept alive. All strategies
 * and clients are measured at the same time, each through a proxy of its own. If all connections are silent, new ones
 * too, the holder must know the loss of its lock; if only those in the pool are, keep-alive must find a new one.
 */
public final class StaleConnectionsBenchmark implements Benchmark {
    static final String ID = "B16";

    private static final Duration SHORT_TTL = Duration.ofSeconds(1);
    private static final Duration TTL = Duration.ofSeconds(2);

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "connections that lead nowhere";
    }

    @Override
    public int weight() {
        return 6;
    }

    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        if (context.environment().isEncrypted()) {
            context.remark(ID + ": not measured: the proxy cannot read encrypted connections.");
            return;
        }
        Duration ttl = context.mode() == RunLength.QUICK ? SHORT_TTL : TTL;
        SilentRounds rounds = new SilentRounds(context, ttl);
        RoundBudget budget = RoundBudget.of(context, time, 1);
        long startedNanos;
        int number = 0;
        do {
            startedNanos = budget.now();
            number++;
            context.step("round " + number);
            rounds.round();
        } while (budget.goesOn(number, startedNanos) && !context.strategies().isEmpty());
        rounds.record();
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
        private final Map<MeasurementKey, List<Silence>> results = new LinkedHashMap<>();

        /**
         * The two measurements of a strategy and client in one round.
         *
         * @param lossNanos the time until the client knew the loss of its lock, in nanoseconds
         * @param recovery the recovery from silent connections in the pool
         */
        private record Silence(long lossNanos, Recovery recovery) {}

        SilentRounds(BenchmarkContext context, Duration ttl) {
            this.context = context;
            this.ttl = ttl;
        }

        void round() throws InterruptedException {
            List<MeasurementKey> subjects = new ArrayList<>();
            List<FutureTask<Long>> losses = new ArrayList<>();
            List<FutureTask<Recovery>> recoveries = new ArrayList<>();
            for (LockStrategy strategy : context.strategies()) {
                for (Client client : Client.values()) {
                    subjects.add(MeasurementKey.of(ID, strategy.name(), client).with("ttlMillis", ttl.toMillis()));
                    losses.add(new FutureTask<>(() -> lose(strategy, client)));
                    recoveries.add(new FutureTask<>(() -> recover(strategy, client)));
                }
            }
            ConcurrentTasks.settle(Stream.concat(losses.stream(), recoveries.stream())
                    .map(Executors::callable)
                    .toList());
            for (int number = 0; number < subjects.size(); number++) {
                keep(subjects.get(number), losses.get(number), recoveries.get(number));
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

        private void keep(MeasurementKey subject, Future<Long> lost, Future<Recovery> recovered)
                throws InterruptedException {
            context.attempt(subject.contender(), () -> {
                Silence silence = new Silence(ConcurrentTasks.result(lost), ConcurrentTasks.result(recovered));
                results.computeIfAbsent(subject, unknown -> new ArrayList<>()).add(silence);
            });
        }

        void record() {
            results.forEach((subject, silences) -> {
                record(subject, LOSS, silences, Silence::lossNanos);
                record(subject, LOSS_PER_TTL, silences, silence -> (double) silence.lossNanos() / ttl.toNanos());
                MeasurementKey stale = subject.with("staleConnections", SilentConnectionsRun.POOLED);
                List<Silence> outlived = silences.stream()
                        .filter(silence -> silence.recovery().nanos().isPresent())
                        .toList();
                record(
                        stale,
                        REPLY,
                        outlived,
                        silence -> silence.recovery().nanos().orElseThrow());
                record(stale, COMMANDS, outlived, silence -> silence.recovery().commands());
                double share = (double) outlived.size() / silences.size();
                context.record(Measurement.of(stale, OUTLIVED, Estimate.once(share), silences.size()));
            });
        }

        private void record(
                MeasurementKey subject, Metric metric, Collection<Silence> silences, ToDoubleFunction<Silence> figure) {
            if (!silences.isEmpty()) {
                double[] values = silences.stream().mapToDouble(figure).toArray();
                context.record(Measurement.of(subject, metric, Estimate.median(values), values.length));
            }
        }
    }
}
