package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.measure.ProtectedData;
import org.mongolocks.benchmarks.rival.Grant;
import org.mongolocks.benchmarks.rival.Party;

/** Is one of those who want the same lock: it asks, visits the data, gives the lock back, and asks again until the end. */
final class Visitor implements Callable<Visitor.Log> {
    /**
     * Is what one visitor went through.
     *
     * @param grants how often it got the lock
     * @param longestWaitNanos its longest wait, also for what it did not get before the end
     */
    record Log(long grants, long longestWaitNanos) {}

    /**
     * Is what all who want a lock want it for.
     *
     * @param request the lock
     * @param data what it protects
     * @param section how long it is needed each time, besides the visit to the data
     * @param endNanos when nobody asks any more
     */
    record Errand(LockRequest request, ProtectedData data, Duration section, long endNanos) {}

    private final Party locks;
    private final Errand errand;
    private long grants;
    private long longestWaitNanos;

    Visitor(Party locks, Errand errand) {
        this.locks = locks;
        this.errand = errand;
    }

    @Override
    public Log call() throws InterruptedException {
        long left = errand.endNanos() - System.nanoTime();
        while (left > 0) {
            Optional<Grant> grant = acquire(Duration.ofNanos(left));
            if (grant.isPresent()) {
                grants++;
                visit(grant.get());
            }
            left = errand.endNanos() - System.nanoTime();
        }
        return new Log(grants, longestWaitNanos);
    }

    private Optional<Grant> acquire(Duration left) throws InterruptedException {
        long asked = System.nanoTime();
        Optional<Grant> grant = locks.acquire(errand.request().waitAtMost(left));
        longestWaitNanos = Math.max(longestWaitNanos, System.nanoTime() - asked);
        return grant;
    }

    private void visit(Grant grant) throws InterruptedException {
        try {
            errand.data().visit(grant.fencingToken());
            TimeUnit.NANOSECONDS.sleep(errand.section().toNanos());
        } finally {
            release(grant);
        }
    }

    private void release(Grant grant) {
        if (!grant.release()) {
            throw new LockException(
                    "A lock with a ttl of " + errand.request().ttl() + " had been lost when it was released");
        }
    }
}
