package org.mongolocks.example.migrations.redisson;

import org.mongolocks.sync.LockClient;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

final class BothLocksBilling {
    private final RedissonClient redisson;
    private final LockClient locks;

    BothLocksBilling(RedissonClient redisson, LockClient locks) {
        this.redisson = redisson;
        this.locks = locks;
    }

    // begin
    boolean bill(String invoice, Runnable work) throws InterruptedException {
        RLock old = redisson.getLock(invoice);
        if (!old.tryLock()) {
            return false;
        }
        try {
            return locks.tryWithLock(invoice, lock -> work.run());
        } finally {
            if (old.isHeldByCurrentThread()) { // to unlock a lost one throws, and hides what the work did
                old.unlock();
            }
        }
    }
    // end
}
