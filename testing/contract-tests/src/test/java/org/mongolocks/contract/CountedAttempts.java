package org.mongolocks.contract;

import java.util.concurrent.atomic.AtomicInteger;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Step;

/** A strategy that counts the attempts to acquire a lock. */
final class CountedAttempts extends ForwardingStrategy {
    private final AtomicInteger attempts = new AtomicInteger();

    CountedAttempts(LockStrategy strategy) {
        super(strategy);
    }

    int count() {
        return attempts.get();
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        attempts.incrementAndGet();
        return super.acquire(context);
    }
}
