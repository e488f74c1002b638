package org.mongolocks.benchmarks.harness;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.Subject;
import org.mongolocks.benchmarks.rival.Grant;
import org.mongolocks.benchmarks.rival.Locks;
import org.mongolocks.benchmarks.rival.Rival;

/**
 * Has some wait in one client for a lock that another holds, and looks at what they use.
 *
 * @param rival the lock
 * @param waiters how many wait
 */
record IdleTurn(Rival rival, int waiters) {
    private static final Metric COMMANDS = new Metric("idleCommands", "1/s");
    private static final Metric THREADS = new Metric("threads", "threads");
    private static final Metric HEAP = new Metric("heapPerWaiter", "B");
    /** All have asked and stand in line when so long nothing was sent. */
    private static final Duration QUIET = Duration.ofMillis(300);

    private static final int LONGEST_UNREST = 20;

    private static final Duration LONG = Duration.ofMinutes(10);

    void run(Session session, Duration time) throws InterruptedException {
        LockRequest request = LockRequest.of("idle-" + UUID.randomUUID(), Workbench.TTL.plus(time));
        try (Locks holder = rival.open();
                Locks client = rival.open()) {
            Grant grant = holder.acquire(request).orElseThrow(() -> new LockException("A free lock was not granted"));
            look(session, client, request.waitAtMost(LONG), time);
            if (!grant.release()) {
                throw new LockException("A lock had been lost while others waited for it");
            }
        }
    }

    private void look(Session session, Locks client, LockRequest request, Duration time) throws InterruptedException {
        int threadsBefore = threads();
        long heapBefore = heap();
        List<Locks.Parked> parked =
                Stream.generate(() -> client.park(request)).limit(waiters).toList();
        try {
            settle();
            record(session, THREADS, threads() - threadsBefore);
            record(session, HEAP, Math.max(0, heap() - heapBefore) / (double) waiters);
            record(session, COMMANDS, commandsPerSecond(time));
        } finally {
            parked.forEach(Locks.Parked::close);
        }
    }

    private void settle() throws InterruptedException {
        long before = -1;
        for (int tries = 0; tries < LONGEST_UNREST && before != sent(); tries++) {
            before = sent();
            TimeUnit.NANOSECONDS.sleep(QUIET.toNanos());
        }
    }

    private long sent() {
        return rival.commands().orElse(0);
    }

    private double commandsPerSecond(Duration time) throws InterruptedException {
        long before = sent();
        long started = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
        return (sent() - before) * 1e9 / (System.nanoTime() - started);
    }

    private void record(Session session, Metric metric, double value) {
        Subject subject = Subject.of(IdleWaiters.ID, rival.id(), rival.client()).with("waiters", waiters);
        session.record(Measurement.of(subject, metric, Estimate.once(value), 1));
    }

    private static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
