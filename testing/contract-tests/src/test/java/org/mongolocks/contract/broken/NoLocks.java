package org.mongolocks.contract.broken;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.mongolocks.ClientStatus;
import org.mongolocks.ClientStatus.ChangeStream;
import org.mongolocks.ClientStatus.ChangeStream.State;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.blocking.BlockingLocks.BlockingLockSet;

/** A placeholder client for tests that inject faults into other commands. */
public final class NoLocks implements BlockingLocks {
    @Override
    public Optional<BlockingLock> tryAcquire(LockRequest request) {
        return Optional.empty();
    }

    @Override
    public BlockingLock acquire(LockRequest request) {
        throw new LockContendedException(request.name(), LockSnapshot.unused(request.name()), false, Duration.ZERO);
    }

    @Override
    public Optional<BlockingLockSet> tryAcquireAll(MultiLockRequest request) {
        return Optional.empty();
    }

    @Override
    public Optional<BlockingLock> enter(Object owner, LockRequest request) {
        return Optional.empty();
    }

    @Override
    public Optional<LockSnapshot> inspect(LockName name) {
        return Optional.empty();
    }

    @Override
    public LockPage list(LockQuery query) {
        return new LockPage(List.of(), List.of(), Optional.empty());
    }

    @Override
    public boolean forceRelease(LockSnapshot seen) {
        return false;
    }

    @Override
    public ClientStatus status() {
        return new ClientStatus(false, new ChangeStream(State.IDLE, Optional.empty()));
    }

    @Override
    public void close() {}
}
