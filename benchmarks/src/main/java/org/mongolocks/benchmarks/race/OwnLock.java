package org.mongolocks.benchmarks.race;

import java.time.Duration;
import java.util.UUID;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.client.Held;
import org.mongolocks.benchmarks.client.Locks;
import org.mongolocks.benchmarks.measure.Violations;

/** An uncontended lock, with a check of mutual exclusion. */
public final class OwnLock {
    /** Longer than any benchmark, so that no lease expires. */
    static final Duration TTL = Duration.ofHours(2);

    private final Locks locks;
    private final LockRequest request = LockRequest.of("own-" + UUID.randomUUID(), TTL);
    private final Witness witness = new Witness();

    public OwnLock(Locks locks) {
        this.locks = locks;
    }

    public LockRequest request() {
        return request;
    }

    public void acquireAndRelease() throws InterruptedException {
        Held lock = hold();
        witness.enters(lock.fencingToken());
        witness.leaves();
        if (!lock.release()) {
            throw new LockException("An uncontended lock had been lost when it was released");
        }
    }

    /** Acquires the lock for the rest of the benchmark. */
    public Held hold() throws InterruptedException {
        return locks.tryAcquire(request).orElseThrow(() -> new LockException("An uncontended lock was not granted"));
    }

    public Violations violations() {
        return witness.violations();
    }
}
