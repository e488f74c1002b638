package org.mongolocks.example.migrations.redisson;

import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

final class OldBilling {
    private final RedissonClient redisson;

    OldBilling(RedissonClient redisson) {
        this.redisson = redisson;
    }

    // begin
    boolean bill(String invoice, Runnable work) {
        RLock lock = redisson.getLock(invoice);
        if (!lock.tryLock()) { // renewed by the watchdog
            return false;
        }
        try {
            work.run();
        } finally {
            lock.unlock();
        }
        return true;
    }
    // end
}
