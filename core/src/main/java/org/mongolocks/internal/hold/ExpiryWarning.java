package org.mongolocks.internal.hold;

import java.time.Duration;
import org.mongolocks.ExpiryWarningListener;

/** The time before the end of a lease at which a listener is warned. Not thread-safe. */
final class ExpiryWarning {
    private final Duration length;
    private final ExpiryWarningListener listener;
    private boolean entered;

    ExpiryWarning(Duration length, ExpiryWarningListener listener) {
        this.length = length;
        this.listener = listener;
    }

    static void requireWithin(Duration ttl, Duration remaining) {
        if (remaining.isNegative() || remaining.isZero() || remaining.compareTo(ttl) >= 0) {
            throw new IllegalArgumentException(
                    "remaining must be more than zero and less than the" + " ttl (" + ttl + "), was " + remaining);
        }
    }

    ExpiryWarningListener listener() {
        return listener;
    }

    /** Returns whether the lease has come this near to its end for the first time. */
    boolean enters(Duration remaining) {
        boolean enters = !entered && remaining.compareTo(length) <= 0;
        entered |= enters;
        return enters;
    }

    /** Records a new end. A lease that is still this near to its end does not cause another warning. */
    void extended(Duration remaining) {
        entered &= remaining.compareTo(length) <= 0;
    }

    /** Returns how long to wait until the next check. */
    Duration untilEntered(Duration remaining) {
        return entered ? remaining : remaining.minus(length);
    }
}
