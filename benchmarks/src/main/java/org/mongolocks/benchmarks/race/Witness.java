package org.mongolocks.benchmarks.race;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.mongolocks.benchmarks.measure.Violations;

/**
 * Sees who holds one lock, in this JVM and without a command, where a visit to protected data would be most of what is
 * measured. Any number of threads may use it.
 */
final class Witness {
    private final AtomicBoolean isHeld = new AtomicBoolean();
    private final AtomicLong newestToken = new AtomicLong(Long.MIN_VALUE);
    private final AtomicLong notAlone = new AtomicLong();
    private final AtomicLong unorderedTokens = new AtomicLong();

    /** Is told of a grant, with its fencing token. */
    void enters(long token) {
        if (!isHeld.compareAndSet(false, true)) {
            notAlone.incrementAndGet();
        }
        if (newestToken.getAndSet(token) >= token) {
            unorderedTokens.incrementAndGet();
        }
    }

    /** Is told before the lock is given back. */
    void leaves() {
        isHeld.set(false);
    }

    Violations violations() {
        return new Violations(notAlone.get(), unorderedTokens.get(), 0);
    }
}
