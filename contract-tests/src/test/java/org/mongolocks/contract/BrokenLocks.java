package org.mongolocks.contract;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.EndangeredListener;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossListener;

/** Is another client with a mistake in how it holds its locks. */
record BrokenLocks(BlockingLocks locks, HoldingMistake broken) implements BlockingLocks {
    @Override
    public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
        return locks.acquire(broken.asked(request)).map(lock -> new Held(lock, broken));
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
        broken.close(locks);
    }

    private static final class Held extends WorseLock {
        private final HoldingMistake broken;

        Held(BlockingLock lock, HoldingMistake broken) {
            super(lock);
            this.broken = broken;
        }

        @Override
        public void onLost(LossListener listener) {
            super.onLost(broken.heard(listener));
        }

        @Override
        public void onEndangered(Duration remaining, EndangeredListener listener) {
            super.onEndangered(remaining, broken.warned(listener));
        }
    }
}
