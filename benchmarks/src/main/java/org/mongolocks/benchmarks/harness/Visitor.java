package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.measure.ProtectedData;
import org.mongolocks.benchmarks.rival.Grant;
import org.mongolocks.benchmarks.rival.Party;

/**
 * Is one of those who want the same lock: it asks, visits the data, gives the lock back, and asks again until it is called
 * off. Then it waits no longer; what it has begun under the lock it brings to its end.
 */
final class Visitor implements Callable<Optional<Window>> {
    /**
     * Is what one visitor went through.
     *
     * @param questions how often it asked for the lock
     * @param grants how often it got the lock
     * @param longestWaitNanos its longest wait, also for what it has not got yet
     */
    record Log(long questions, long grants, long longestWaitNanos) {}

    /**
     * Is what all who want a lock want it for.
     *
     * @param request the lock, and how long to wait for it before asking again
     * @param data what it protects
     * @param section how long it is needed each time, besides the visit to the data
     * @param begun opens when somebody has the lock, for which all ask then
     */
    record Errand(LockRequest request, ProtectedData data, Duration section, CountDownLatch begun) {
        void giveBack(Grant grant) {
            if (!grant.release()) {
                throw new LockException(
                        "A lock with a ttl of " + request.ttl() + " had been lost when it was released");
            }
        }
    }

    private final Party locks;
    private final Errand errand;
    private long questions;
    private long grants;
    private long longestWaitNanos;
    private long askedNanos;
    private @Nullable Thread asking;
    private boolean isCalledOff;

    Visitor(Party locks, Errand errand) {
        this.locks = locks;
        this.errand = errand;
    }

    @Override
    public Optional<Window> call() throws InterruptedException {
        errand.begun().await();
        while (begins()) {
            Optional<Grant> grant = ask();
            if (grant.isPresent()) {
                visit(grant.get());
            }
        }
        return Optional.empty();
    }

    /** Has it ask no more, and give up waiting. */
    synchronized void callOff() {
        isCalledOff = true;
        if (asking != null) {
            asking.interrupt();
        }
    }

    synchronized Log log(long nowNanos) {
        long wait = asking == null ? 0 : nowNanos - askedNanos;
        return new Log(questions, grants, Math.max(longestWaitNanos, wait));
    }

    private synchronized boolean begins() {
        if (isCalledOff) {
            return false;
        }
        questions++;
        askedNanos = System.nanoTime();
        asking = Thread.currentThread();
        return true;
    }

    private Optional<Grant> ask() throws InterruptedException {
        try {
            Optional<Grant> grant = locks.acquire(errand.request());
            answered(grant.isPresent());
            return grant;
        } catch (InterruptedException | RuntimeException e) {
            if (answered(false)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Tells whether it was called off, and takes that interrupt back. */
    private synchronized boolean answered(boolean isGranted) {
        longestWaitNanos = Math.max(longestWaitNanos, System.nanoTime() - askedNanos);
        asking = null;
        grants += isGranted ? 1 : 0;
        if (isCalledOff) {
            Thread.interrupted();
        }
        return isCalledOff;
    }

    private void visit(Grant grant) throws InterruptedException {
        try {
            errand.data().visit(grant.fencingToken());
            TimeUnit.NANOSECONDS.sleep(errand.section().toNanos());
        } finally {
            errand.giveBack(grant);
        }
    }
}
