package org.mongolocks.internal;

import java.time.Duration;
import org.mongolocks.ClientSettings;
import org.mongolocks.TimeSource;

/**
 * Says until when an acquisition waits, and until when it is answered: as much later as one command may take. Thread-safe.
 */
final class Deadline {
    private final TimeSource time;
    private final long waitNanos;
    private final long endNanos;

    /** Counts from now. */
    Deadline(ClientSettings settings, Duration wait) {
        this.time = settings.time();
        this.waitNanos = time.nanoTime() + wait.toNanos();
        this.endNanos = waitNanos + settings.commandTimeout().toNanos();
    }

    /** Returns how long to wait yet. */
    Duration left() {
        return until(waitNanos);
    }

    /** Returns whether no new attempt is to begin, except a last one. */
    boolean isOver() {
        return left().isZero();
    }

    /** Returns how long commands may take yet. */
    Duration untilEnd() {
        return until(endNanos);
    }

    /** Returns whether nothing is to be sent any more while the caller waits. */
    boolean isPast() {
        return untilEnd().isZero();
    }

    private Duration until(long nanos) {
        return Duration.ofNanos(Math.max(0, nanos - time.nanoTime()));
    }
}
