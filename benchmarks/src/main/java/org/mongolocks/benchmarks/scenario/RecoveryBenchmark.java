package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.RunLength;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.sampling.ConcurrentTasks;
import org.mongolocks.benchmarks.workload.HolderCrashRun;
import org.mongolocks.benchmarks.workload.KilledHolderProcess;
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
        return 10;
    }

    @Override
    public void run(BenchmarkContext session, Duration time) throws InterruptedException {
        boolean isQuick = session.mode() == RunLength.QUICK;
        Duration ttl = isQuick ? SHORT_TTL : TTL;
        try (LocksUnderTest lineup = LocksUnderTest.ofStrategies(session)) {
            RecoveryRounds run = new RecoveryRounds(session, lineup, ttl);
            long endNanos = System.nanoTime() + time.toNanos();
            int number = 0;
            do {
                number++;
                round(run, "round " + number, isQuick);
            } while (System.nanoTime() < endNanos && !lineup.thatWait().isEmpty());
            run.record();
        }
    }

    /** Runs one round. A quick run has no time to start processes. */
    private static void round(RecoveryRounds run, String round, boolean isQuick) throws InterruptedException {
        run.abandon(round);
        if (!isQuick) {
            run.kill(round);
            run.stop(round);
        }
    }

    /** The rounds of the recovery benchmark: they end holders and measure the takeover of their locks. */
    static final class RecoveryRounds {
        private static final Metric PER_TTL = new Metric("recoveryPerTtl", "ratio");

        private record Cell(LockImplementation rival, String end) {}

        private final BenchmarkContext session;
        private final LocksUnderTest lineup;
        private final Duration ttl;
        private final Map<Cell, List<Double>> nanos = new LinkedHashMap<>();

        RecoveryRounds(BenchmarkContext session, LocksUnderTest lineup, Duration ttl) {
            this.session = session;
            this.lineup = lineup;
            this.ttl = ttl;
        }

        /** Lets the leases of holders in this JVM expire. */
        void abandon(String round) throws InterruptedException {
            session.step("abandoned, " + round);
            List<LockImplementation> rivals = lineup.thatWait();
            List<Future<Takeover>> takeovers = ConcurrentTasks.settle(rivals.stream()
                    .map(rival -> new LeaseExpiryTakeover(rival, session.bench().protectedData(rival.id()), ttl))
                    .toList());
            keep("abandoned", rivals, takeovers);
        }

        /** Kills a process that holds all locks. */
        void kill(String round) throws InterruptedException {
            end("killed", round, KilledHolderProcess::kill);
        }

        /** Stops a process that holds all locks until they have been taken over. */
        void stop(String round) throws InterruptedException {
            end("stopped", round, KilledHolderProcess::stop);
        }

        private void end(String end, String round, HolderCrashRun.Way way) throws InterruptedException {
            session.step(end + ", " + round);
            List<LockImplementation> rivals = lineup.thatWait();
            try {
                keep(end, rivals, new HolderCrashRun(session.bench(), rivals, ttl).run(way));
            } catch (LockException e) {
                session.remark("B9, " + end + ": " + e.getMessage());
            }
        }

        private void keep(String end, List<LockImplementation> rivals, List<Future<Takeover>> takeovers)
                throws InterruptedException {
            for (int number = 0; number < rivals.size(); number++) {
                LockImplementation rival = rivals.get(number);
                Future<Takeover> takeover = takeovers.get(number);
                session.attempt(rival.id(), () -> keep(new Cell(rival, end), ConcurrentTasks.result(takeover)));
            }
        }

        private void keep(Cell cell, Takeover takeover) {
            session.judge(cell.rival().id(), takeover.violations());
            nanos.computeIfAbsent(cell, unknown -> new ArrayList<>()).add((double) takeover.nanos());
        }

        void record() {
            nanos.forEach((cell, values) -> {
                MeasurementKey subject = MeasurementKey.of(
                                RecoveryBenchmark.ID,
                                cell.rival().id(),
                                cell.rival().client())
                        .with("end", cell.end())
                        .with("ttlMillis", ttl.toMillis());
                record(subject, Metric.RECOVERY, values, 1.0);
                record(subject, PER_TTL, values, (double) ttl.toNanos());
            });
        }

        private void record(MeasurementKey subject, Metric metric, List<Double> values, double unit) {
            double[] found = values.stream().mapToDouble(value -> value / unit).toArray();
            session.record(Measurement.of(subject, metric, Estimate.median(found), found.length));
        }
    }
}
