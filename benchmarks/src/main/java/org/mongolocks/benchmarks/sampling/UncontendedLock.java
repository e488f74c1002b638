package org.mongolocks.benchmarks.sampling;

import java.time.Duration;
import java.util.UUID;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.AcquiredLock;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;
import org.mongolocks.benchmarks.run.SingleHolderCheck;

/** An uncontended lock, with a check of mutual exclusion. */
public final class UncontendedLock {
    /** Longer than any benchmark, so that no lease expires. */
    private static final Duration TTL = Duration.ofHours(2);

    private final BenchmarkParticipant locks;
    private final LockRequest request =
            LockRequest.of("own-" + UUID.randomUUID(), TTL).fixedLease();
    private final SingleHolderCheck check = new SingleHolderCheck();

    public UncontendedLock(BenchmarkParticipant locks) {
        this.locks = locks;
    }

    public LockRequest request() {
        return request;
    }

    public void acquireAndRelease() throws InterruptedException {
        AcquiredLock lock = hold();
        check.enters(lock.fencingToken());
        check.leaves();
        if (!lock.release()) {
            throw new LockException("An uncontended lock had been lost when it was released");
        }
    }

    /** Acquires the lock for the rest of the benchmark. */
    public AcquiredLock hold() throws InterruptedException {
        return locks.acquire(request).orElseThrow(() -> new LockException("An uncontended lock was not granted"));
    }

    public Violations violations() {
        return check.violations();
    }
}
