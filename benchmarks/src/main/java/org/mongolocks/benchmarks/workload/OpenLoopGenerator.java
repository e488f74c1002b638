package org.mongolocks.benchmarks.workload;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.AcquiredLock;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.run.SingleHolderCheck;
import org.mongolocks.benchmarks.sampling.ConcurrentTasks;

/**
 * An open-loop load generator: acquires and releases locks at a fixed rate. The start time of each operation is fixed
 * in advance and does not depend on the duration of earlier ones; an operation that is late because all workers are
 * busy is timed from its scheduled start. The operations use the locks of a ring in turn, so that they wait for the
 * server and not for each other, unless one is delayed for a whole round of the ring.
 */
public final class OpenLoopGenerator {
    private static final int WORKERS = 32;
    private static final int RING = 256;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final BenchmarkParticipant locks;
    private final long periodNanos;
    private final long arrivals;
    private final String prefix = "open-" + UUID.randomUUID() + "-";
    private final List<SingleHolderCheck> ring =
            Stream.generate(SingleHolderCheck::new).limit(RING).toList();
    private final AtomicLong next = new AtomicLong();
    private final Histogram nanos = new ConcurrentHistogram(3);
    private final long startNanos = System.nanoTime();

    public OpenLoopGenerator(BenchmarkParticipant locks, int rate, Duration time) {
        this.locks = locks;
        this.periodNanos = TimeUnit.SECONDS.toNanos(1) / rate;
        this.arrivals = Math.max(1, time.toNanos() / periodNanos);
    }

    /** Runs until all scheduled operations have completed. */
    public void run() throws InterruptedException {
        ConcurrentTasks.run(Collections.nCopies(WORKERS, this::work));
    }

    /** Returns the duration of each operation, from its scheduled start. */
    public Histogram nanos() {
        return nanos;
    }

    /** Returns the violations seen by the checks of all locks. */
    public Violations violations() {
        return ring.stream().map(SingleHolderCheck::violations).reduce(Violations.NONE, Violations::plus);
    }

    private boolean work() throws InterruptedException {
        for (long arrival = next.getAndIncrement(); arrival < arrivals; arrival = next.getAndIncrement()) {
            long due = startNanos + arrival * periodNanos;
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            visit((int) (arrival % RING));
            nanos.recordValue(System.nanoTime() - due);
        }
        return true;
    }

    private void visit(int number) throws InterruptedException {
        AcquiredLock grant = locks.acquire(LockRequest.of(prefix + number, RunEnvironment.TTL)
                        .fixedLease()
                        .waitAtMost(TIMEOUT))
                .orElseThrow(() -> new LockException("A lock was not granted within " + TIMEOUT));
        ring.get(number).enters(grant.fencingToken());
        ring.get(number).leaves();
        if (!grant.release()) {
            throw new LockException("A lock had been lost when it was released");
        }
    }
}
