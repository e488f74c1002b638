package org.mongolocks.example.micronaut;

import jakarta.inject.Singleton;
import java.time.Duration;
import org.mongolocks.LockRequest;
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
        LockRequest request =
                LockRequest.of(invoice, Duration.ofSeconds(30)).keepAlive();
        return locks.callWithLock(request, lock -> lock.fencingToken());
    }
}
