package org.mongolocks.contract;

import java.util.Optional;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;

/** Is another client with a mistake in how it lists locks. */
record WorseLists(BlockingLocks locks, OperatorMistake mistake) implements BlockingLocks {
    @Override
    public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
        return locks.acquire(request);
    }

    @Override
    public Optional<LockSnapshot> inspect(LockName name) throws InterruptedException {
        return locks.inspect(name);
    }

    @Override
    public LockPage list(LockQuery query) throws InterruptedException {
        return mistake.listed(locks.list(mistake.asked(query)));
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
