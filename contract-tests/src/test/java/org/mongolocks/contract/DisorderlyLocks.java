package org.mongolocks.contract;

import java.util.Optional;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;

/** Is a client with a mistake in how it waits; what it is asked without order or wait, it does well. */
record DisorderlyLocks(BlockingLocks locks, OrderMistake mistake) implements BlockingLocks {
    @Override
    public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
        boolean isPlain = !request.isInOrder() && request.waitAtMost().isZero();
        return isPlain ? locks.acquire(request) : mistake.acquire(locks, request);
    }

    @Override
    public Optional<LockSnapshot> inspect(LockName name) throws InterruptedException {
        return locks.inspect(name);
    }

    @Override
    public boolean forceRelease(LockSnapshot seen) throws InterruptedException {
        return locks.forceRelease(seen);
    }

    @Override
    public void close() {
        locks.close();
    }
}
