package org.mongolocks.internal.run;

import java.time.Duration;
import org.mongolocks.ClientSettings;
import org.mongolocks.TimeSource;

/**
 * The deadlines of an acquisition: until when it waits, and until when it has a result, which is later by the time of
 * one command. Thread-safe.
 */
public final class Deadline {
    private final TimeSource time;
    private final long waitNanos;
    private final long endNanos;

    /** Counts from now. */
    public Deadline(ClientSettings settings, Duration wait) {
        this.time = settings.time();
        this.waitNanos = time.nanoTime() + wait.toNanos();
        this.endNanos = waitNanos + settings.commandTimeout().toNanos();
    }

    /** Returns the time left to wait. */
    public Duration left() {
        return until(waitNanos);
    }

    /** Returns whether no new attempt may begin, except a last one. */
    public boolean isOver() {
        return left().isZero();
    }

    /** Returns how long commands may still take. */
    Duration untilEnd() {
        return until(endNanos);
    }

    /** Returns whether nothing may be sent any more while the caller waits. */
    public boolean isPast() {
        return untilEnd().isZero();
    }

    private Duration until(long nanos) {
        return Duration.ofNanos(Math.max(0, nanos - time.nanoTime()));
    }
}
