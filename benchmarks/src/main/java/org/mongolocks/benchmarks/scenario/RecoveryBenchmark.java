package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.PairedDifference.Series;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.sampling.ConcurrentTasks;
import org.mongolocks.benchmarks.sampling.RoundBudget;
import org.mongolocks.benchmarks.workload.ClientProcess;
import org.mongolocks.benchmarks.workload.HolderCrashRun;
import org.mongolocks.benchmarks.workload.LeaseExpiryTakeover;
import org.mongolocks.benchmarks.workload.LeaseExpiryTakeover.Takeover;

/**
 * The benchmark of recovery: how long a lock stays held when its holder does not release it, from the end of the holder
 * to the grant to a waiter. The locks of all strategies and clients are acquired at once, so that all waiters wait at
 * the same time. A holder ends in one of these ways:
 *
 * <ul>
 *   <li>abandoned: it holds the lock for one lease, does not renew it, and never releases it. The time is measured from
 *       its grant;
 *   <li>killed: its process renews the lock, and is killed;
 *   <li>stopped: its process renews the lock, is suspended until another owner has acquired the lock, and must detect
 *       the loss afterwards.
 * </ul>
 */
public final class RecoveryBenchmark implements Benchmark {
    static final String ID = "B9";

    private static final Duration SHORT_TTL = Duration.ofSeconds(1);
    private static final Duration TTL = Duration.ofSeconds(2);

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "recovery";
    }

    @Override
    public int weight() {
        return 16;
    }

    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        boolean isQuick = context.mode() == RunLength.QUICK;
        Duration ttl = isQuick ? SHORT_TTL : TTL;
        try (LocksUnderTest contenders = LocksUnderTest.ofStrategies(context)) {
            RecoveryRounds run = new RecoveryRounds(context, contenders, ttl);
            RoundBudget budget = RoundBudget.of(context, time, RoundBudget.FOR_AN_INTERVAL);
            int number = 0;
            long startedNanos;
            do {
                startedNanos = budget.now();
                number++;
                round(run, number, isQuick);
            } while (budget.goesOn(number, startedNanos)
                    && !contenders.supportingWait().isEmpty());
            run.record();
        }
    }

    /** Runs one round. A quick run has no time to start processes. */
    private static void round(RecoveryRounds run, int round, boolean isQuick) throws InterruptedException {
        run.abandon(round);
        if (!isQuick) {
            run.kill(round);
            run.stop(round);
        }
    }

    /** The rounds of the recovery benchmark: they end holders and measure the takeover of their locks. */
    static final class RecoveryRounds {
        private static final Metric PER_TTL = new Metric("recoveryPerTtl", "ratio");

        private record Cell(LockImplementation contender, String end) {}

        private final BenchmarkContext context;
        private final LocksUnderTest contenders;
        private final Duration ttl;
        private final Map<Cell, SortedMap<Integer, Double>> nanos = new LinkedHashMap<>();

        RecoveryRounds(BenchmarkContext context, LocksUnderTest contenders, Duration ttl) {
            this.context = context;
            this.contenders = contenders;
            this.ttl = ttl;
        }

        /** Lets the leases of holders in this JVM expire. */
        void abandon(int round) throws InterruptedException {
            context.step("abandoned, round " + round);
            List<LockImplementation> waiting = contenders.supportingWait();
            List<Future<Takeover>> takeovers = ConcurrentTasks.settle(waiting.stream()
                    .map(contender -> new LeaseExpiryTakeover(
                            contender, context.environment().protectedData(contender.id()), ttl))
                    .toList());
            keep("abandoned", round, waiting, takeovers);
        }

        /** Kills a process that holds all locks. */
        void kill(int round) throws InterruptedException {
            end("killed", round, ClientProcess::kill);
        }

        /** Stops a process that holds all locks until they have been taken over. */
        void stop(int round) throws InterruptedException {
            end("stopped", round, ClientProcess::suspend);
        }

        private void end(String end, int round, HolderCrashRun.ProcessEnd processEnd) throws InterruptedException {
            if (!context.hasTimeFor(ttl)) {
                return;
            }
            context.step(end + ", round " + round);
            List<LockImplementation> waiting = contenders.supportingWait();
            try {
                keep(end, round, waiting, new HolderCrashRun(context.environment(), waiting, ttl).run(processEnd));
            } catch (LockException e) {
                context.remark("B9, " + end + ": " + e.getMessage());
            }
        }

        private void keep(String end, int round, List<LockImplementation> contenders, List<Future<Takeover>> takeovers)
                throws InterruptedException {
            for (int number = 0; number < contenders.size(); number++) {
                LockImplementation contender = contenders.get(number);
                Future<Takeover> takeover = takeovers.get(number);
                context.attempt(
                        contender.id(), () -> keep(new Cell(contender, end), round, ConcurrentTasks.result(takeover)));
            }
        }

        private void keep(Cell cell, int round, Takeover takeover) {
            context.judge(cell.contender().id(), takeover.violations());
            nanos.computeIfAbsent(cell, unknown -> new TreeMap<>()).put(round, (double) takeover.nanos());
        }

        void record() {
            nanos.forEach((cell, values) -> {
                MeasurementKey subject = MeasurementKey.of(
                                RecoveryBenchmark.ID,
                                cell.contender().id(),
                                cell.contender().client())
                        .with("end", cell.end())
                        .with("ttlMillis", ttl.toMillis());
                record(subject, Metric.RECOVERY, values.values(), 1.0);
                record(subject, PER_TTL, values.values(), (double) ttl.toNanos());
                context.compare(new Series(subject, Metric.RECOVERY, values));
            });
        }

        private void record(MeasurementKey subject, Metric metric, Collection<Double> values, double unit) {
            double[] found = values.stream().mapToDouble(value -> value / unit).toArray();
            context.record(Measurement.of(subject, metric, Estimate.median(found), found.length));
        }
    }
}
