package org.mongolocks.example.migrations.redisson;

import org.mongolocks.sync.LockClient;

final class NewBilling {
    private final LockClient locks;

    NewBilling(LockClient locks) {
        this.locks = locks;
    }

    // begin
    boolean bill(String invoice, Runnable work) throws InterruptedException {
        return locks.tryWithLock(invoice, lock -> work.run()); // lock.fencingToken() for what it writes
    }
    // end
}
