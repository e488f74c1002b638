package org.mongolocks.contract;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.mongolocks.LockName;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Step;

/** A strategy that counts the attempts to acquire a lock. */
public final class CountedAttempts extends ForwardingStrategy {
    private final AtomicInteger attempts = new AtomicInteger();

    public CountedAttempts(LockStrategy strategy) {
        super(strategy);
    }

    public int count() {
        return attempts.get();
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        attempts.incrementAndGet();
        return super.acquire(context);
    }

    /** The look of a waiter at its lock counts as well. */
    @Override
    public Step<Optional<LockOutcome.Contended>> look(LockName name, long number) {
        attempts.incrementAndGet();
        return super.look(name, number);
    }
}
