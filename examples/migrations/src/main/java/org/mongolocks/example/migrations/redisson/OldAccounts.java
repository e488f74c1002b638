package org.mongolocks.example.migrations.redisson;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

final class OldAccounts {
    private final RedissonClient redisson;

    OldAccounts(RedissonClient redisson) {
        this.redisson = redisson;
    }

    // begin
    void deposit(LongConsumer work) {
        RFencedLock lock = redisson.getFencedLock("account-7");
        long token = lock.lockAndGetToken();
        try {
            work.accept(token);
        } finally {
            lock.unlock();
        }
    }

    boolean transfer(Runnable work) throws InterruptedException {
        RLock both = redisson.getMultiLock(redisson.getLock("account-3"), redisson.getLock("account-7"));
        if (!both.tryLock(10, TimeUnit.SECONDS)) {
            return false;
        }
        try {
            work.run();
        } finally {
            both.unlock();
        }
        return true;
    }

    void report(Runnable work) {
        RLock fair = redisson.getFairLock("report");
        fair.lock(2, TimeUnit.MINUTES); // not renewed
        try {
            work.run();
        } finally {
            fair.unlock();
        }
    }
    // end
}
