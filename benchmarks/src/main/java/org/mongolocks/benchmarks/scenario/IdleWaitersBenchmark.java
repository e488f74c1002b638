package org.mongolocks.benchmarks.scenario;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.driver.DriverAdapter;
import org.mongolocks.benchmarks.driver.DriverAdapter.BackgroundLocks;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.run.Benchmark.Scenario;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.run.RunEnvironment.CommandCounter;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.spi.LockStrategy;

/**
 * The benchmark of idle waiters: the commands that their client sends, its threads, and its memory. All waiters share
 * one client, and another client holds the lock.
 */
final class IdleWaitersBenchmark implements Scenario {
    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        List<Integer> counts = waiters(context.mode());
        long samples = (long) counts.size() * context.strategies().size() * Client.values().length;
        Duration sampleTime = time.dividedBy(Math.max(1, samples));
        for (int waiters : counts) {
            context.step(waiters + " waiters");
            for (LockStrategy strategy : context.strategies()) {
                context.attempt(strategy.name(), () -> {
                    for (Client client : Client.values()) {
                        new IdleWaiterRun(context, strategy, client, waiters).run(strategy, sampleTime);
                    }
                });
            }
        }
    }

    private static List<Integer> waiters(RunLength mode) {
        return mode == RunLength.QUICK ? List.of(100) : List.of(1, 10, 100, 1_000);
    }

    /** A measurement of idle waiters: a number of requests wait in one client for a lock that another client holds. */
    static final class IdleWaiterRun {
        private static final Metric COMMANDS = new Metric("idleCommands", "1/s");
        private static final Metric THREADS = new Metric("threads", "threads");
        private static final Metric HEAP = new Metric("heapPerWaiter", "B");
        /** All waiters are queued when no command was sent for this long. */
        private static final Duration QUIET = Duration.ofMillis(300);

        private static final Duration QUIET_IF_QUICK = Duration.ofMillis(100);

        private static final int MAX_CHECKS = 20;

        /** The share of the time in which a quick run counts commands, however long the waiters take to queue. */
        private static final int QUICK_TIME_DIVISOR = 3;

        private static final Duration LONG = Duration.ofMinutes(10);

        private final BenchmarkContext context;
        private final MeasurementKey subject;
        private final int waiters;
        private final CommandCounter commands = new CommandCounter();

        IdleWaiterRun(BenchmarkContext context, LockStrategy strategy, Client client, int waiters) {
            this.context = context;
            this.subject = context.subject(strategy.name(), client).with("waiters", waiters);
            this.waiters = waiters;
        }

        void run(LockStrategy strategy, Duration time) throws InterruptedException {
            RunEnvironment environment = context.environment();
            LockRequest request =
                    LockRequest.of("idle-" + UUID.randomUUID(), RunEnvironment.TTL.plusMillis(time.toMillis()));
            try (DriverAdapter driver = environment.driver(subject.client(), commands);
                    BlockingLocks holder = driver.locks(strategy, environment.name(strategy.name()));
                    BackgroundLocks client = driver.backgroundLocks(strategy, environment.name(strategy.name()))) {
                BlockingLock lock =
                        holder.tryAcquire(request).orElseThrow(() -> new LockException("A free lock was not granted"));
                measure(() -> client.acquire(request.waitAtMost(LONG)), time);
                if (!lock.release()) {
                    throw new LockException("A lock had been lost while others waited for it");
                }
            }
        }

        private void measure(Supplier<Future<?>> waiter, Duration time) throws InterruptedException {
            long endNanos = System.nanoTime() + time.toNanos();
            int threadsBefore = threads();
            long heapBefore = heap();
            List<? extends Future<?>> waits =
                    Stream.generate(waiter).limit(waiters).toList();
            try {
                settle();
                int threadsMore = threads() - threadsBefore;
                double heapPerWaiter = Math.max(0, heap() - heapBefore) / (double) waiters;
                double commandsPerSecond =
                        commandsPerSecond(endNanos, time.toNanos() / (isQuick() ? QUICK_TIME_DIVISOR : 1));
                requireWaiting(waits);
                record(THREADS, threadsMore);
                record(HEAP, heapPerWaiter);
                record(COMMANDS, commandsPerSecond);
            } finally {
                waits.forEach(wait -> wait.cancel(true));
            }
        }

        /** A waiter that no longer waits sends no commands: the figures would be too good. */
        static void requireWaiting(List<? extends Future<?>> waits) throws InterruptedException {
            for (Future<?> wait : waits) {
                if (wait.isDone()) {
                    throw ended(wait);
                }
            }
        }

        private static LockException ended(Future<?> wait) throws InterruptedException {
            try {
                wait.get();
                return new LockException("A waiter ended while the lock was held");
            } catch (ExecutionException e) {
                return new LockException("A waiter failed: " + e.getCause(), e.getCause());
            }
        }

        private void settle() throws InterruptedException {
            Duration quiet = isQuick() ? QUIET_IF_QUICK : QUIET;
            long before = -1;
            for (int tries = 0; tries < MAX_CHECKS && before != sent(); tries++) {
                before = sent();
                TimeUnit.NANOSECONDS.sleep(quiet.toNanos());
            }
        }

        private boolean isQuick() {
            return context.mode() == RunLength.QUICK;
        }

        private long sent() {
            return commands.count();
        }

        private double commandsPerSecond(long endNanos, long leastNanos) throws InterruptedException {
            long before = sent();
            long started = System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(Math.max(leastNanos, endNanos - started));
            return (sent() - before) * 1e9 / (System.nanoTime() - started);
        }

        private void record(Metric metric, double value) {
            context.record(Measurement.of(subject, metric, Estimate.once(value), 1));
        }

        private static int threads() {
            return ManagementFactory.getThreadMXBean().getThreadCount();
        }

        private static long heap() {
            System.gc();
            return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        }
    }
}
