package org.mongolocks.peers;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** The lock of Redisson on one Redis, whose watchdog renews it; also the one with fencing tokens. */
final class Redisson {
    private Redisson() {}

    static PeerLocks open(PeerPlace place, boolean isFenced) {
        Config config = new Config().setLockWatchdogTimeout(place.ttl().toMillis());
        config.useSingleServer().setAddress(place.uri()).setConnectionMinimumIdleSize(2);
        return new Locks(
                org.redisson.Redisson.create(config), place.database() + ":" + place.collection() + ":", isFenced);
    }

    private record Locks(RedissonClient redisson, String prefix, boolean isFenced) implements PeerLocks {
        @Override
        public Optional<PeerLock> acquire(String name, Duration waitAtMost) throws InterruptedException {
            if (!isFenced) {
                RLock lock = redisson.getLock(prefix + name);
                return lock.tryLock(waitAtMost.toMillis(), TimeUnit.MILLISECONDS)
                        ? Optional.of(new Locked(lock, 0))
                        : Optional.empty();
            }
            RFencedLock lock = redisson.getFencedLock(prefix + name);
            return Optional.ofNullable(lock.tryLockAndGetToken(waitAtMost.toMillis(), TimeUnit.MILLISECONDS))
                    .map(token -> new Locked(lock, token));
        }

        @Override
        public void close() {
            redisson.shutdown();
        }
    }

    private record Locked(RLock lock, long token) implements PeerLocks.PeerLock {
        @Override
        public boolean isHeld() {
            return lock.isHeldByCurrentThread();
        }

        @Override
        public boolean release() {
            try {
                lock.unlock();
                return true;
            } catch (IllegalMonitorStateException e) {
                return false;
            }
        }
    }
}
