package org.mongolocks.benchmarks.workload;

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
import org.mongolocks.benchmarks.lock.AcquiredLock;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.sampling.ConcurrentTasks;
import org.mongolocks.benchmarks.workload.LeaseExpiryTakeover.Takeover;

/**
 * A run with a process that holds and renews locks until it is killed or stopped, while one waiter per lock waits in
 * this JVM.
 */
public final class HolderCrashRun {
    /** An action that ends a process. */
    @FunctionalInterface
    public interface ProcessEnd {
        void end(ClientProcess process) throws InterruptedException;
    }

    private final RunEnvironment environment;
    private final List<LockImplementation> contenders;
    private final Duration ttl;
    private final String lock = "crash-" + UUID.randomUUID();
    private volatile long endNanos;

    public HolderCrashRun(RunEnvironment environment, List<LockImplementation> contenders, Duration ttl) {
        this.environment = environment;
        this.contenders = contenders;
        this.ttl = ttl;
    }

    /**
     * Returns the takeover of each lock, in the order of the locks.
     *
     * @throws LockException if the process did not start, or a resumed process did not report the loss of its locks
     */
    public List<Future<Takeover>> run(ProcessEnd processEnd) throws InterruptedException {
        try (ClientProcess holder = ClientProcess.start(environment)) {
            holder.send(request());
            holder.await(ClientMain.HELD);
            List<Callable<Takeover>> tasks = new ArrayList<>();
            contenders.forEach(contender -> tasks.add(() -> take(contender)));
            tasks.add(() -> end(holder, processEnd));
            List<Future<Takeover>> all = ConcurrentTasks.settle(tasks);
            ConcurrentTasks.result(all.get(contenders.size()));
            if (holder.isSuspended()) {
                awaitLosses(holder);
            }
            return all.subList(0, contenders.size());
        }
    }

    private String request() {
        List<String> words = new ArrayList<>(List.of(ClientMain.HOLD, lock, String.valueOf(ttl.toMillis())));
        contenders.forEach(contender -> words.add(ClientMain.held(contender, environment)));
        return String.join(" ", words);
    }

    /** Resumes a suspended process, and waits until it has reported the loss of every lock. */
    private void awaitLosses(ClientProcess holder) throws InterruptedException {
        holder.resume();
        for (int lost = 0; lost < contenders.size(); lost++) {
            holder.await(ClientMain.LOST);
        }
    }

    /** Ends the process at a random moment in the second third of the ttl, after the first renewal is due. */
    private Takeover end(ClientProcess holder, ProcessEnd processEnd) throws InterruptedException {
        long third = ttl.toNanos() / 3;
        TimeUnit.NANOSECONDS.sleep(third + ThreadLocalRandom.current().nextLong(third));
        endNanos = System.nanoTime();
        processEnd.end(holder);
        return new Takeover(0, new Violations(0, 0, 0));
    }

    private Takeover take(LockImplementation contender) throws InterruptedException {
        LockRequest request = LockRequest.of(ClientMain.heldLock(lock, contender.client()), ttl)
                .fixedLease()
                .waitAtMost(ttl.multipliedBy(LeaseExpiryTakeover.TIMEOUT_IN_TTLS));
        try (BenchmarkParticipant waiter = contender.open()) {
            AcquiredLock next = waiter.acquire(request)
                    .orElseThrow(() -> new LockException("The lock of a dead process was not granted after its lease"));
            long grantedNanos = System.nanoTime();
            boolean wasTooSoon = endNanos == 0 || grantedNanos < endNanos;
            next.release();
            return new Takeover(grantedNanos - endNanos, new Violations(wasTooSoon ? 1 : 0, 0, 0));
        }
    }
}
