package org.mongolocks.contract;

import java.util.Optional;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;

/** Is a client that guards transactions badly. */
record CarelessLocks(BlockingLocks locks, GuardMistake mistake) implements BlockingLocks {
    @Override
    public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
        return locks.acquire(request).map(Held::new);
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

    private final class Held extends WorseLock {
        private final BlockingLock lock;

        Held(BlockingLock lock) {
            super(lock);
            this.lock = lock;
        }

        @Override
        public void inTransaction(GuardedBody body) throws Exception {
            mistake.inTransaction(lock, body);
        }
    }
}
