package org.mongolocks.contract;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.EndangeredListener;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossListener;
import org.mongolocks.LossReason;

/** Is another client with a mistake in how it holds its locks. */
record BrokenLocks(BlockingLocks locks, BrokenClient broken) implements BlockingLocks {
    @Override
    public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
        return locks.acquire(broken.asked(request)).map(lock -> new Held(lock, broken));
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
        broken.close(locks);
    }

    private record Held(BlockingLock lock, BrokenClient broken) implements BlockingLock {
        @Override
        public Lease lease() {
            return lock.lease();
        }

        @Override
        public boolean isHeld() {
            return lock.isHeld();
        }

        @Override
        public Duration remaining() {
            return lock.remaining();
        }

        @Override
        public Optional<LossReason> loss() {
            return lock.loss();
        }

        @Override
        public void onLost(LossListener listener) {
            lock.onLost(broken.heard(listener));
        }

        @Override
        public void onEndangered(Duration remaining, EndangeredListener listener) {
            lock.onEndangered(remaining, broken.warned(listener));
        }

        @Override
        public boolean renew() throws InterruptedException {
            return lock.renew();
        }

        @Override
        public boolean release() {
            return lock.release();
        }
    }
}
