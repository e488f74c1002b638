package org.mongolocks.example.quarkus;

import jakarta.inject.Singleton;
import org.mongolocks.sync.LockClient;

/** Bills an invoice under its lock. */
@Singleton
public class Billing {
    private final LockClient locks;

    Billing(LockClient locks) {
        this.locks = locks;
    }

    /** Returns the fencing token with which the invoice was billed. */
    public long bill(String invoice) throws InterruptedException {
        return locks.callWithLock(invoice, lock -> lock.fencingToken());
    }
}
