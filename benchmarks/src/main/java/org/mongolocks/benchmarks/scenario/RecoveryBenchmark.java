package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.lock.LockImplementation;
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
final class RecoveryBenchmark implements Scenario {
    private static final Duration SHORT_TTL = Duration.ofSeconds(1);
    private static final Duration TTL = Duration.ofSeconds(2);

    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        boolean isQuick = context.mode() == RunLength.QUICK;
        Duration ttl = isQuick ? SHORT_TTL : TTL;
        try (LocksUnderTest contenders = LocksUnderTest.ofStrategies(context)) {
            RecoveryRounds run = new RecoveryRounds(context, contenders, ttl);
            RoundBudget budget = RoundBudget.of(context, time, RoundBudget.FOR_AN_INTERVAL);
            Rounds.repeat(context, budget, round -> round(run, round, isQuick));
            run.record();
        }
    }

    /** Runs one round. A quick run has no time to start processes. */
    private static void round(RecoveryRounds run, Round round, boolean isQuick) throws InterruptedException {
        run.abandon(round);
        if (!isQuick) {
            run.kill(round);
            run.stop(round);
        }
    }

    /** The rounds of the recovery benchmark: they end holders and measure the takeover of their locks. */
    static final class RecoveryRounds {
        private static final Metric PER_TTL = new Metric("recoveryPerTtl", "ratio");

        private final BenchmarkContext context;
        private final LocksUnderTest contenders;
        private final Duration ttl;
        private final RoundFigures figures = new RoundFigures();

        RecoveryRounds(BenchmarkContext context, LocksUnderTest contenders, Duration ttl) {
            this.context = context;
            this.contenders = contenders;
            this.ttl = ttl;
        }

        /** Lets the leases of holders in this JVM expire. */
        void abandon(Round round) throws InterruptedException {
            context.step("abandoned, round " + round);
            List<LockImplementation> waiting = contenders.supportingWait();
            List<Future<Takeover>> takeovers = ConcurrentTasks.settle(waiting.stream()
                    .map(contender -> new LeaseExpiryTakeover(
                            contender, context.environment().protectedData(contender.id()), ttl))
                    .toList());
            keep("abandoned", round, waiting, takeovers);
        }

        /** Kills a process that holds all locks. */
        void kill(Round round) throws InterruptedException {
            end("killed", round, ClientProcess::kill);
        }

        /** Stops a process that holds all locks until they have been taken over. */
        void stop(Round round) throws InterruptedException {
            end("stopped", round, ClientProcess::suspend);
        }

        private void end(String end, Round round, HolderCrashRun.ProcessEnd processEnd) throws InterruptedException {
            if (!context.admit(ttl)) {
                return;
            }
            context.step(end + ", round " + round.number());
            List<LockImplementation> waiting = contenders.supportingWait();
            try {
                keep(end, round, waiting, new HolderCrashRun(context.environment(), waiting, ttl).run(processEnd));
            } catch (LockException e) {
                context.results().remark("B9, " + end + ": " + e.getMessage());
            }
        }

        private void keep(
                String end, Round round, List<LockImplementation> contenders, List<Future<Takeover>> takeovers)
                throws InterruptedException {
            for (int number = 0; number < contenders.size(); number++) {
                LockImplementation contender = contenders.get(number);
                Future<Takeover> takeover = takeovers.get(number);
                context.attempt(contender.id(), () -> keep(contender, end, round, ConcurrentTasks.result(takeover)));
            }
        }

        private void keep(LockImplementation contender, String end, Round round, Takeover takeover) {
            context.judge(contender.id(), takeover.violations());
            MeasurementKey subject = context.subject(contender.id(), contender.client())
                    .with("end", end)
                    .with("ttlMillis", ttl.toMillis());
            figures.add(round, subject, Metric.RECOVERY, (double) takeover.nanos(), 1);
            figures.add(round, subject, PER_TTL, (double) takeover.nanos() / ttl.toNanos(), 1);
        }

        void record() {
            figures.record(context, Estimate::median);
            figures.compare(context, Metric.RECOVERY);
        }
    }
}
