package org.mongolocks.contract.broken;

import java.util.List;
import java.util.Optional;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;

/** A placeholder client for tests that inject faults into other commands. */
public final class NoLocks implements BlockingLocks {
    @Override
    public Optional<BlockingLock> acquire(LockRequest request) {
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
    public void close() {}
}
