package org.mongolocks.benchmarks.workload;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.AcquiredLock;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;

/**
 * A worker that contends for a lock: it acquires the lock, works under it, releases the lock, and repeats this until it
 * is stopped. A stop cancels the wait for the lock, but not the work under the lock.
 */
final class ContendingWorker implements Callable<Optional<ContentionResult>> {
    /**
     * The counts of one worker.
     *
     * @param longestWaitNanos the longest wait, including the current one
     */
    record Log(long requests, long grants, long longestWaitNanos) {}

    /** The work under a lock. */
    @FunctionalInterface
    interface CriticalSection {
        /**
         * Runs while the lock is held.
         *
         * @param fencingToken the token of the grant, if the lock has one
         */
        void run(OptionalLong fencingToken) throws InterruptedException;
    }

    /**
     * The task of all workers of a scenario.
     *
     * @param request the lock, and how long to wait for it before the next request
     * @param section the work under the lock
     * @param begun a latch that opens when the workers may start
     */
    record WorkerTask(LockRequest request, CriticalSection section, CountDownLatch begun) {
        void release(AcquiredLock grant) {
            if (!grant.release()) {
                throw new LockException(
                        "A lock with a ttl of " + request.ttl() + " had been lost when it was released");
            }
        }
    }

    private final BenchmarkParticipant locks;
    private final WorkerTask task;
    private long requests;
    private long grants;
    private long longestWaitNanos;
    private long askedNanos;
    private @Nullable Thread asking;
    private boolean isStopped;

    ContendingWorker(BenchmarkParticipant locks, WorkerTask task) {
        this.locks = locks;
        this.task = task;
    }

    @Override
    public Optional<ContentionResult> call() throws InterruptedException {
        task.begun().await();
        while (begins()) {
            Optional<AcquiredLock> grant = ask();
            if (grant.isPresent()) {
                visit(grant.get());
            }
        }
        return Optional.empty();
    }

    /** Stops the worker and interrupts its wait for the lock. */
    synchronized void stop() {
        isStopped = true;
        if (asking != null) {
            asking.interrupt();
        }
    }

    synchronized Log log(long nowNanos) {
        long wait = asking == null ? 0 : nowNanos - askedNanos;
        return new Log(requests, grants, Math.max(longestWaitNanos, wait));
    }

    private synchronized boolean begins() {
        if (isStopped) {
            return false;
        }
        requests++;
        askedNanos = System.nanoTime();
        asking = Thread.currentThread();
        return true;
    }

    private Optional<AcquiredLock> ask() throws InterruptedException {
        try {
            Optional<AcquiredLock> grant = locks.acquire(task.request());
            answered(grant.isPresent());
            return grant;
        } catch (InterruptedException | RuntimeException e) {
            if (answered(false)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Records the end of a wait. Returns whether the worker was stopped, and clears the interrupt of the stop. */
    private synchronized boolean answered(boolean isGranted) {
        longestWaitNanos = Math.max(longestWaitNanos, System.nanoTime() - askedNanos);
        asking = null;
        grants += isGranted ? 1 : 0;
        if (isStopped) {
            Thread.interrupted();
        }
        return isStopped;
    }

    private void visit(AcquiredLock grant) throws InterruptedException {
        try {
            task.section().run(grant.fencingToken());
        } finally {
            task.release(grant);
        }
    }
}
