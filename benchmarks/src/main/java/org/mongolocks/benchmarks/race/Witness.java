package org.mongolocks.benchmarks.race;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.mongolocks.benchmarks.measure.Violations;

/**
 * Sees who holds one lock, in this JVM and without a command, where a visit to protected data would be most of what is
 * measured. Any number of threads may use it.
 */
public final class Witness {
    private final AtomicBoolean isHeld = new AtomicBoolean();
    private final AtomicLong newestToken = new AtomicLong(Long.MIN_VALUE);
    private final AtomicLong notAlone = new AtomicLong();
    private final AtomicLong unorderedTokens = new AtomicLong();

    /** Is told of a grant, with its fencing token. */
    void enters(long token) {
        enters(OptionalLong.of(token));
    }

    /** Is told of a grant of a lock that may have no fencing token. */
    public void enters(OptionalLong token) {
        if (!isHeld.compareAndSet(false, true)) {
            notAlone.incrementAndGet();
        }
        if (token.isPresent() && newestToken.getAndSet(token.getAsLong()) >= token.getAsLong()) {
            unorderedTokens.incrementAndGet();
        }
    }

    /** Is told before the lock is given back. */
    public void leaves() {
        isHeld.set(false);
    }

    /** Tells what went wrong until now. */
    public Violations violations() {
        return new Violations(notAlone.get(), unorderedTokens.get(), 0);
    }
}
