package org.mongolocks.benchmarks.sampling;

import java.time.Duration;
import java.util.UUID;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.driver.DriverAdapter.BenchmarkClient;
import org.mongolocks.benchmarks.driver.DriverAdapter.BenchmarkClient.BenchmarkLock;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;
import org.mongolocks.benchmarks.run.SingleHolderCheck;

/** An uncontended lock, with a check of mutual exclusion. */
public final class UncontendedLock {
    /** Longer than any benchmark, so that no lease expires. */
    public static final Duration TTL = Duration.ofHours(2);

    private final BenchmarkClient locks;
    private final LockRequest request = LockRequest.of("own-" + UUID.randomUUID(), TTL);
    private final SingleHolderCheck check = new SingleHolderCheck();

    public UncontendedLock(BenchmarkClient locks) {
        this.locks = locks;
    }

    public LockRequest request() {
        return request;
    }

    public void acquireAndRelease() throws InterruptedException {
        BenchmarkLock lock = hold();
        check.enters(lock.fencingToken());
        check.leaves();
        if (!lock.release()) {
            throw new LockException("An uncontended lock had been lost when it was released");
        }
    }

    /** Acquires the lock for the rest of the benchmark. */
    public BenchmarkLock hold() throws InterruptedException {
        return locks.tryAcquire(request).orElseThrow(() -> new LockException("An uncontended lock was not granted"));
    }

    public Violations violations() {
        return check.violations();
    }
}
