package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.sampling.BenchmarkFixture;
import org.mongolocks.benchmarks.sampling.MeasuredOperation;
import org.mongolocks.benchmarks.workload.KeepAliveTraffic;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.spi.LockStrategy;

/** The benchmark of renewal: of single renewals, and of keep-alive for idle locks. */
final class RenewalLatency implements PairedBenchmark {
    private static final int MIN_SHARE_DIVISOR = 4;

    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        KeepAliveBenchmark holding = new KeepAliveBenchmark(context, time.dividedBy(2));
        Duration rest = time.minus(holding.time());
        Duration least = time.dividedBy(MIN_SHARE_DIVISOR);
        PairedBenchmark.super.run(context, rest.compareTo(least) < 0 ? least : rest);
        holding.run();
    }

    @Override
    public List<MeasuredOperation> operations(BenchmarkFixture fixture, LockStrategy strategy)
            throws InterruptedException {
        BlockingLock lock = fixture.ownLock(strategy, fixture.locks(strategy)).hold();
        MeasuredOperation operation = MeasuredOperation.of(fixture.subject(strategy.name()), () -> renew(lock));
        return List.of(operation.over(fixture.baseline(Baseline.FIND_AND_MODIFY)));
    }

    private static void renew(BlockingLock lock) throws InterruptedException {
        if (!lock.renew()) {
            throw new LockException("An uncontended lock had been lost when it was renewed");
        }
    }

    /**
     * The benchmark of keep-alive: all strategies hold idle locks at the same time, each through its own pool. The
     * leases are short, so that many renewals fit into the time; the renewal interval is proportional to the ttl.
     *
     * @param context the run
     * @param wanted the time to hold the locks, if several leases of useful length fit
     */
    record KeepAliveBenchmark(BenchmarkContext context, Duration wanted) {
        private static final List<Integer> LOCKS = List.of(1, 100);
        private static final Duration MIN_TTL = Duration.ofSeconds(2);
        private static final Duration MIN_TTL_IF_QUICK = Duration.ofSeconds(1);
        private static final Duration MAX_TTL = Duration.ofSeconds(20);
        private static final int TTLS = 3;
        private static final int TTLS_IF_QUICK = 2;

        /** Returns how long the locks are held. */
        Duration time() {
            return time(ttl());
        }

        private Duration time(Duration ttl) {
            return ttl.multipliedBy(isQuick() ? TTLS_IF_QUICK : TTLS);
        }

        /** Holds the locks. The short lease of a quick run is repeated with a longer one if the machine is too busy. */
        void run() throws InterruptedException {
            if (!isRecorded(ttl(), isQuick())) {
                isRecorded(ttl().multipliedBy(2), false);
            }
        }

        /** Records the figures. Returns false, without figures, if a lock was lost and there is time to repeat this. */
        private boolean isRecorded(Duration ttl, boolean mayRepeat) throws InterruptedException {
            context.step("holding");
            List<KeepAliveTraffic> holds = new ArrayList<>();
            try {
                open(holds, ttl);
                holds.forEach(KeepAliveTraffic::start);
                TimeUnit.NANOSECONDS.sleep(time(ttl).toNanos());
                holds.forEach(KeepAliveTraffic::stop);
                boolean isLost = holds.stream().anyMatch(hold -> hold.lost() > 0);
                if (isLost && mayRepeat && context.hasTimeFor(time(ttl.multipliedBy(2)))) {
                    return false;
                }
                for (KeepAliveTraffic hold : holds) {
                    context.conclude(hold.contender(), () -> hold.record(context));
                }
                if (isLost) {
                    remarkLost(holds, ttl);
                }
                for (KeepAliveTraffic hold : holds) {
                    context.conclude(hold.contender(), hold::release);
                }
                return true;
            } finally {
                holds.forEach(KeepAliveTraffic::close);
            }
        }

        private void remarkLost(List<KeepAliveTraffic> holds, Duration ttl) {
            List<KeepAliveTraffic> lost =
                    holds.stream().filter(hold -> hold.lost() > 0).toList();
            context.remarkLost(
                    lost.stream().map(KeepAliveTraffic::title).collect(Collectors.joining(", ")),
                    lost.stream().mapToLong(KeepAliveTraffic::lost).sum(),
                    ttl);
        }

        private void open(List<KeepAliveTraffic> holds, Duration ttl) throws InterruptedException {
            for (Client client : Client.values()) {
                for (LockStrategy strategy : context.strategies()) {
                    for (int locks : LOCKS) {
                        MeasurementKey subject =
                                context.subject(strategy.name(), client).with("locks", locks);
                        KeepAliveTraffic hold = KeepAliveTraffic.withBytes(context.environment(), subject, ttl);
                        holds.add(hold);
                        context.attempt(strategy.name(), () -> hold.open(strategy, locks, context.left()));
                    }
                }
            }
        }

        private Duration ttl() {
            return ttl(wanted, isQuick() ? MIN_TTL_IF_QUICK : MIN_TTL);
        }

        private boolean isQuick() {
            return context.mode() == RunLength.QUICK;
        }

        /** Returns a ttl that fits several times into the time, in whole milliseconds as every ttl. */
        static Duration ttl(Duration time, Duration least) {
            Duration fitting = time.dividedBy(TTLS).truncatedTo(ChronoUnit.MILLIS);
            Duration bounded = fitting.compareTo(MAX_TTL) > 0 ? MAX_TTL : fitting;
            return bounded.compareTo(least) < 0 ? least : bounded;
        }
    }
}
