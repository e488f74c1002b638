package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.measure.Violations;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.rival.Grant;
import org.mongolocks.benchmarks.rival.Party;
import org.mongolocks.benchmarks.rival.Rival;

/**
 * A run with a process that holds and renews locks until it is killed or stopped, while one waiter per lock waits in
 * this JVM.
 */
final class ProcessEnd {
    /** An action that ends a process. */
    @FunctionalInterface
    interface Way {
        void end(DoomedProcess process) throws InterruptedException;
    }

    private final Workbench bench;
    private final List<Rival> rivals;
    private final Duration ttl;
    private final String lock = "doomed-" + UUID.randomUUID();
    private volatile long endNanos;

    ProcessEnd(Workbench bench, List<Rival> rivals, Duration ttl) {
        this.bench = bench;
        this.rivals = rivals;
        this.ttl = ttl;
    }

    /**
     * Returns the takeover of each lock, in the order of the locks.
     *
     * @throws LockException if the process did not start, or a resumed process did not report the loss of its locks
     */
    List<Future<Takeover>> run(Way way) throws InterruptedException {
        try (DoomedProcess holder = DoomedProcess.start(bench, rivals, lock(), ttl)) {
            List<Callable<Takeover>> tasks = new ArrayList<>();
            rivals.forEach(rival -> tasks.add(() -> take(rival)));
            tasks.add(() -> end(holder, way));
            List<Future<Takeover>> all = Together.settle(tasks);
            Together.result(all.get(rivals.size()));
            holder.awaitEnd();
            return all.subList(0, rivals.size());
        }
    }

    private String lock() {
        return lock;
    }

    /** Ends the process at a random moment in the second third of the ttl, after the first renewal is due. */
    private Takeover end(DoomedProcess holder, Way way) throws InterruptedException {
        long third = ttl.toNanos() / 3;
        TimeUnit.NANOSECONDS.sleep(third + ThreadLocalRandom.current().nextLong(third));
        endNanos = System.nanoTime();
        way.end(holder);
        return new Takeover(0, new Violations(0, 0, 0));
    }

    private Takeover take(Rival rival) throws InterruptedException {
        LockRequest request = LockRequest.of(DoomedHolder.name(lock, rival.client()), ttl)
                .waitAtMost(ttl.multipliedBy(Abandoned.PATIENCE_IN_TTLS));
        try (Party waiter = rival.open()) {
            Grant next = waiter.acquire(request)
                    .orElseThrow(() -> new LockException("The lock of a dead process was not granted after its lease"));
            long grantedNanos = System.nanoTime();
            boolean wasTooSoon = endNanos == 0 || grantedNanos < endNanos;
            next.release();
            return new Takeover(grantedNanos - endNanos, new Violations(wasTooSoon ? 1 : 0, 0, 0));
        }
    }
}
