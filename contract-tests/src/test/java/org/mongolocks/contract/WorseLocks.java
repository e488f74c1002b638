package org.mongolocks.contract;

import java.util.Optional;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;

/** Is a client that makes a mistake. */
record WorseLocks(BlockingLocks locks, ClientMistake mistake) implements BlockingLocks {
    @Override
    public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
        return mistake.acquire(locks, request).map(lock -> mistake.held(lock, locks));
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
    public void close() {
        locks.close();
    }
}
