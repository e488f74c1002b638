package org.mongolocks.benchmarks.sampling;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.UUID;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;
import org.mongolocks.benchmarks.run.SingleHolderCheck;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;

/** An uncontended lock, with a check of mutual exclusion. */
public final class UncontendedLock {
    /** Longer than any benchmark, so that no lease expires. */
    public static final Duration TTL = Duration.ofHours(2);

    private final BlockingLocks locks;
    private final LockRequest request =
            LockRequest.of("own-" + UUID.randomUUID(), TTL).fixedLease();
    private final SingleHolderCheck check = new SingleHolderCheck();

    public UncontendedLock(BlockingLocks locks) {
        this.locks = locks;
    }

    public LockRequest request() {
        return request;
    }

    public void acquireAndRelease() throws InterruptedException {
        BlockingLock lock = hold();
        check.enters(OptionalLong.of(lock.fencingToken()));
        check.leaves();
        if (!lock.release()) {
            throw new LockException("An uncontended lock had been lost when it was released");
        }
    }

    /** Acquires the lock for the rest of the benchmark. */
    public BlockingLock hold() throws InterruptedException {
        return locks.tryAcquire(request).orElseThrow(() -> new LockException("An uncontended lock was not granted"));
    }

    public Violations violations() {
        return check.violations();
    }
}
