package org.mongolocks.benchmarks.run;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;

/**
 * A check of mutual exclusion for one lock. It works within this JVM and sends no commands, for benchmarks in which an
 * access to protected data would dominate the measured time. Thread-safe.
 */
public final class SingleHolderCheck {
    private final AtomicBoolean isHeld = new AtomicBoolean();
    private final AtomicLong newestToken = new AtomicLong(Long.MIN_VALUE);
    private final AtomicLong notAlone = new AtomicLong();
    private final AtomicLong unorderedTokens = new AtomicLong();

    /** Records a grant of a lock that may have no fencing token. */
    public void enters(OptionalLong token) {
        if (!isHeld.compareAndSet(false, true)) {
            notAlone.incrementAndGet();
        }
        if (token.isPresent() && newestToken.getAndSet(token.getAsLong()) >= token.getAsLong()) {
            unorderedTokens.incrementAndGet();
        }
    }

    /** Records the end of a grant. Called before the release. */
    public void leaves() {
        isHeld.set(false);
    }

    /** Returns the violations so far. */
    public Violations violations() {
        return new Violations(notAlone.get(), unorderedTokens.get(), 0);
    }
}
