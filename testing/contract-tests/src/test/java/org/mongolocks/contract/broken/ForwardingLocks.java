package org.mongolocks.contract.broken;

import java.util.Optional;
import java.util.concurrent.locks.Lock;
import org.mongolocks.ClientStatus;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.blocking.BlockingLocks.BlockingLockSet;

/** A client that delegates to a correct one; subclasses change a part. */
class ForwardingLocks implements BlockingLocks {
    private final BlockingLocks locks;

    ForwardingLocks(BlockingLocks locks) {
        this.locks = locks;
    }

    @Override
    public Optional<BlockingLock> tryAcquire(LockRequest request) throws InterruptedException {
        return locks.tryAcquire(request);
    }

    @Override
    public BlockingLock acquire(LockRequest request) throws InterruptedException {
        return locks.acquire(request);
    }

    @Override
    public Optional<BlockingLockSet> tryAcquireAll(MultiLockRequest request) throws InterruptedException {
        return locks.tryAcquireAll(request);
    }

    @Override
    public Optional<BlockingLock> enter(Object owner, LockRequest request) throws InterruptedException {
        return locks.enter(owner, request);
    }

    @Override
    public Optional<Lock> asLock(LockRequest request) {
        return locks.asLock(request);
    }

    @Override
    public Optional<LockSnapshot> inspect(LockName name) throws InterruptedException {
        return locks.inspect(name);
    }

    @Override
    public LockPage list(LockQuery query) throws InterruptedException {
        return locks.list(query);
    }

    @Override
    public boolean forceRelease(LockSnapshot seen) throws InterruptedException {
        return locks.forceRelease(seen);
    }

    @Override
    public ClientStatus status() {
        return locks.status();
    }

    @Override
    public void close() {
        locks.close();
    }
}
