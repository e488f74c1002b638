package org.mongolocks.example.migrations.redisson;

import java.time.Duration;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.LockClient;

final class NewBilling {
    private final LockClient locks;

    NewBilling(LockClient locks) {
        this.locks = locks;
    }

    // begin
    boolean bill(String invoice, Runnable work) throws InterruptedException {
        LockRequest request = LockRequest.of(invoice, Duration.ofSeconds(30)).keepAlive();
        return locks.tryWithLock(request, lock -> work.run()); // lock.fencingToken() for what it writes
    }
    // end
}
