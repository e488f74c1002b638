package org.mongolocks.benchmarks.scenario;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.run.Benchmark.Scenario;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.sampling.CostMeter;
import org.mongolocks.benchmarks.sampling.RoundBudget;
import org.mongolocks.benchmarks.sampling.RoundFigures;
import org.mongolocks.benchmarks.sampling.Rounds.Round;
import org.mongolocks.benchmarks.workload.KeepAliveTraffic;
import org.mongolocks.spi.LockStrategy;

/**
 * The benchmark of many locks that one client keeps alive: the processor time of the client, and its commands. The
 * clients are measured one after another, so that the time belongs to one of them. The leases are short, and the
 * figures are scaled to a ttl of {@link KeepAliveTraffic#USUAL_TTL}.
 */
final class HeldLocksBenchmark implements Scenario {
    private static final int WARM_UP_SHARE = 4;

    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        HeldLocksRounds rounds = new HeldLocksRounds(context);
        rounds.warmUp(time.dividedBy(WARM_UP_SHARE));
        RoundBudget budget = RoundBudget.of(context, time, 1);
        long startedNanos;
        int number = 0;
        do {
            startedNanos = budget.now();
            number++;
        } while (rounds.round(number) && budget.goesOn(number, startedNanos));
        rounds.figures.record(context, Estimate::mean);
    }

    /** Returns for how long each client renews before it is measured: the JVM compiles the code of renewals meanwhile. */
    private static Duration warmUpTime(RunLength mode) {
        return switch (mode) {
            case QUICK -> Duration.ZERO;
            case NORMAL -> Duration.ofSeconds(5);
            case FULL -> Duration.ofSeconds(30);
        };
    }

    private static List<Integer> locks(RunLength mode) {
        return switch (mode) {
            case QUICK -> List.of(250);
            case NORMAL -> List.of(1_000, 10_000);
            case FULL -> List.of(1_000, 10_000, 100_000);
        };
    }

    /** The rounds of the benchmark: in each round, every strategy holds every number of locks with every client. */
    private static final class HeldLocksRounds {
        private static final Metric COMMANDS = new Metric("idleCommands", "1/s");
        private static final Metric CPU = new Metric("idleCpu", "ns/10 s");
        private static final Duration CPU_TIME = Duration.ofSeconds(10);

        /** Long enough to acquire all locks before the first renewal, and for a pause of the JVM. */
        private static final Duration MIN_TTL = Duration.ofMillis(600);

        private static final Duration TTL_OF_A_LOCK = Duration.ofNanos(300_000);
        /** After a loss with this ttl, nothing is recorded. */
        private static final Duration MAX_TTL = Duration.ofMinutes(1);

        private static final int RENEWALS_IN_A_TTL = 3;
        private static final int WARM_UP_LOCKS = 5_000;
        private static final OperatingSystemMXBean SYSTEM = ManagementFactory.getOperatingSystemMXBean();

        private final BenchmarkContext context;
        private final RoundFigures figures = new RoundFigures();
        private Round round = new Round(0, false);
        private Duration slowest = Duration.ZERO;
        private int began;

        HeldLocksRounds(BenchmarkContext context) {
            this.context = context;
        }

        /** The code of renewals is the same for all strategies and numbers of locks. */
        void warmUp(Duration share) throws InterruptedException {
            Duration usual = warmUpTime(context.mode());
            Duration time = usual.compareTo(share) < 0 ? usual : share;
            if (time.isZero() || context.strategies().isEmpty()) {
                return;
            }
            LockStrategy strategy = context.strategies().get(0);
            context.step("warm-up");
            context.attempt(strategy.name(), () -> {
                for (Client client : Client.values()) {
                    try (KeepAliveTraffic traffic =
                            new KeepAliveTraffic(context.environment(), client, firstTtl(WARM_UP_LOCKS))) {
                        traffic.open(strategy, WARM_UP_LOCKS, time);
                        TimeUnit.NANOSECONDS.sleep(time.toNanos());
                    }
                }
            });
        }

        /** Returns whether a measurement began. If none did, none fits into the time that is left. */
        boolean round(int number) throws InterruptedException {
            int before = began;
            round = new Round(number, true);
            for (int locks : locks(context.mode())) {
                context.step(locks + " locks, round " + number);
                for (LockStrategy strategy : context.strategies()) {
                    for (Client client : Client.values()) {
                        MeasurementKey subject =
                                context.subject(strategy.name(), client).with("locks", locks);
                        context.attempt(strategy.name(), () -> hold(subject, strategy, locks, firstTtl(locks)));
                    }
                }
            }
            return began > before;
        }

        /**
         * Repeats the measurement with a longer ttl if the machine is too busy for this one. What does not end before
         * the limit of the benchmark is left out.
         */
        private void hold(MeasurementKey subject, LockStrategy strategy, int locks, Duration ttl)
                throws InterruptedException {
            if (context.admit(duration(locks, ttl)) && !measure(subject, strategy, locks, ttl)) {
                hold(subject, strategy, locks, ttl.multipliedBy(2));
            }
        }

        /** Returns how long it takes to acquire the locks, hold them, and release them at the pace of the slowest so far. */
        private Duration duration(int locks, Duration ttl) {
            return slowest.multipliedBy(2L * locks).plus(ttl).plus(ttl.dividedBy(RENEWALS_IN_A_TTL));
        }

        /**
         * Returns false if a lock was lost or a command took too long for the ttl. The end of the client releases the
         * locks, many by one command.
         */
        private boolean measure(MeasurementKey subject, LockStrategy strategy, int locks, Duration ttl)
                throws InterruptedException {
            began++;
            try (KeepAliveTraffic traffic = new KeepAliveTraffic(context.environment(), subject.client(), ttl)) {
                long startedNanos = System.nanoTime();
                traffic.open(strategy, locks, context.left());
                Duration each = Duration.ofNanos((System.nanoTime() - startedNanos) / locks);
                slowest = each.compareTo(slowest) > 0 ? each : slowest;
                if (context.left().isZero()) {
                    return false;
                }
                long cpuNanos = cpuNanos(traffic, ttl);
                boolean isSound = traffic.lost() == 0;
                if (isSound) {
                    add(subject, traffic, cpuNanos);
                } else if (ttl.compareTo(MAX_TTL) >= 0) {
                    context.results()
                            .remark(String.format(
                                    Locale.ROOT,
                                    "B15: what %d idle locks of %s (%s) cost is unknown: %d leases of %d s ended before a renewal was"
                                            + " answered, on a machine with a load average of %.1f and %d processors.",
                                    locks,
                                    strategy.name(),
                                    subject.client().id(),
                                    traffic.lost(),
                                    ttl.toSeconds(),
                                    SYSTEM.getSystemLoadAverage(),
                                    SYSTEM.getAvailableProcessors()));
                }
                return isSound || ttl.compareTo(MAX_TTL) >= 0;
            } catch (LockException e) {
                if (ttl.compareTo(MAX_TTL) >= 0) {
                    throw e;
                }
                return false;
            }
        }

        /**
         * Counts for one period of renewals, after a whole ttl: locks that were acquired one after another are renewed
         * and checked together then.
         */
        private static long cpuNanos(KeepAliveTraffic traffic, Duration ttl) throws InterruptedException {
            CostMeter meter = new CostMeter();
            TimeUnit.NANOSECONDS.sleep(ttl.toNanos());
            traffic.start();
            meter.start();
            TimeUnit.NANOSECONDS.sleep(ttl.toNanos() / RENEWALS_IN_A_TTL);
            traffic.stop();
            return meter.stop().cpuNanos();
        }

        private void add(MeasurementKey subject, KeepAliveTraffic traffic, long cpuNanos) {
            long usualSeconds = KeepAliveTraffic.USUAL_TTL.toSeconds();
            MeasurementKey key = subject.with("ttlSeconds", usualSeconds);
            double cpuPerTtl = cpuNanos / traffic.ttls();
            figures.add(round, key, COMMANDS, traffic.commandsPerTtl() / usualSeconds, 1);
            figures.add(round, key, CPU, cpuPerTtl * CPU_TIME.toSeconds() / usualSeconds, 1);
        }

        private static Duration firstTtl(int locks) {
            Duration ttl = TTL_OF_A_LOCK.multipliedBy(locks);
            return ttl.compareTo(MIN_TTL) < 0 ? MIN_TTL : ttl;
        }
    }
}
