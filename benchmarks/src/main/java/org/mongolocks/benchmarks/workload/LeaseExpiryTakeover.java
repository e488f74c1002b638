package org.mongolocks.benchmarks.workload;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.AcquiredLock;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.run.ProtectedData;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;

/**
 * A takeover after lease expiry: one client acquires a lock and does not release it, another client waits for it. At
 * the end the first holder releases its lost lock, which must return false.
 *
 * @param contender the lock under test
 * @param ttl the length of the lease
 */
public record LeaseExpiryTakeover(LockImplementation contender, ProtectedData data, Duration ttl)
        implements Callable<LeaseExpiryTakeover.Takeover> {
    static final int TIMEOUT_IN_TTLS = 10;

    @Override
    public Takeover call() throws InterruptedException {
        LockRequest request =
                LockRequest.of("abandoned-" + UUID.randomUUID(), ttl).fixedLease();
        try (BenchmarkParticipant holder = contender.open();
                BenchmarkParticipant waiter = contender.open()) {
            AcquiredLock left =
                    holder.acquire(request).orElseThrow(() -> new LockException("A free lock was not granted"));
            long endNanos = System.nanoTime();
            data.visit(left.fencingToken());
            AcquiredLock next = waiter.acquire(request.waitAtMost(ttl.multipliedBy(TIMEOUT_IN_TTLS)))
                    .orElseThrow(() -> new LockException("An abandoned lock was not granted after its lease"));
            return takeover(System.nanoTime() - endNanos, left, next);
        }
    }

    private Takeover takeover(long nanos, AcquiredLock left, AcquiredLock next) {
        data.visit(next.fencingToken());
        boolean freedAnothers = left.release();
        boolean wasHeld = next.release();
        Violations seen = data.violations();
        long mistakes = (freedAnothers ? 1L : 0L) + (wasHeld ? 0L : 1L);
        return new Takeover(
                nanos, new Violations(seen.notAlone() + mistakes, seen.unorderedTokens(), seen.lostUpdates()));
    }

    /**
     * A grant of a lock that its holder had not released.
     *
     * @param nanos the time since the end of the holder, in nanoseconds
     * @param violations the violations seen during the takeover
     */
    public record Takeover(long nanos, Violations violations) {}
}
