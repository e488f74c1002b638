package org.mongolocks.peers;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * The locks of a registry of Spring Integration. Before each step the holder renews its lock, as the reference asks of work that
 * may be longer than the lease; a refused renewal says that the lock was lost.
 *
 * @param closing closes what the registry uses
 */
record SpringLocks(RenewableLockRegistry<DistributedLock> registry, Runnable closing) implements PeerLocks {
    @Override
    public Optional<PeerLock> acquire(String name, Duration waitAtMost) throws InterruptedException {
        DistributedLock lock = registry.obtain(name);
        return lock.tryLock(waitAtMost.toMillis(), TimeUnit.MILLISECONDS)
                ? Optional.of(new Locked(registry, name, lock))
                : Optional.empty();
    }

    @Override
    public void close() {
        closing.run();
    }

    private record Locked(RenewableLockRegistry<DistributedLock> registry, String name, DistributedLock lock)
            implements PeerLock {
        @Override
        public boolean isHeld() {
            try {
                registry.renewLock(name);
                return true;
            } catch (IllegalStateException e) {
                return false;
            }
        }

        @Override
        public boolean release() {
            try {
                lock.unlock();
                return true;
            } catch (ConcurrentModificationException e) {
                return false;
            }
        }
    }
}
