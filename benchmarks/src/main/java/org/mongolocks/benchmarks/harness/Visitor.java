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

    private final Party locks;
    private final LockRequest request;
    private final ProtectedData data;
    private final Duration section;
    private final long endNanos;
    private long grants;
    private long longestWaitNanos;

    Visitor(Party locks, LockRequest request, ProtectedData data, Duration section, long endNanos) {
        this.locks = locks;
        this.request = request;
        this.data = data;
        this.section = section;
        this.endNanos = endNanos;
    }

    @Override
    public Log call() throws InterruptedException {
        long left = endNanos - System.nanoTime();
        while (left > 0) {
            Optional<Grant> grant = acquire(Duration.ofNanos(left));
            if (grant.isPresent()) {
                grants++;
                visit(grant.get());
            }
            left = endNanos - System.nanoTime();
        }
        return new Log(grants, longestWaitNanos);
    }

    private Optional<Grant> acquire(Duration left) throws InterruptedException {
        long asked = System.nanoTime();
        Optional<Grant> grant = locks.acquire(request.waitAtMost(left));
        longestWaitNanos = Math.max(longestWaitNanos, System.nanoTime() - asked);
        return grant;
    }

    private void visit(Grant grant) throws InterruptedException {
        try {
            data.visit(grant.fencingToken());
            TimeUnit.NANOSECONDS.sleep(section.toNanos());
        } finally {
            release(grant);
        }
    }

    private void release(Grant grant) {
        if (!grant.release()) {
            throw new LockException("A lock with a ttl of " + request.ttl() + " had been lost when it was released");
        }
    }
}
