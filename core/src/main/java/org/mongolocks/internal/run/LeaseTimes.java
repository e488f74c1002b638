package org.mongolocks.internal.run;

import java.time.Duration;
import org.mongolocks.Lease;
import org.mongolocks.time.TimeSource;

/** What follows from the holder's end of a lease. Times are those of the client's {@link TimeSource}, in nanoseconds. */
public final class LeaseTimes {
    private LeaseTimes() {}

    /** Returns how much of a lease is left, zero when it has ended. */
    public static Duration remaining(Lease lease, long now) {
        return Duration.ofNanos(Math.max(0, lease.validUntilNanos() - now));
    }

    /** Returns the same grant with an end that is earlier by a margin. */
    public static Lease endingEarlier(Lease lease, Duration margin) {
        return endingAt(lease, lease.validUntilNanos() - margin.toNanos());
    }

    /** Returns the same grant with another end. */
    public static Lease endingAt(Lease lease, long end) {
        return end == lease.validUntilNanos() ? lease : with(lease, lease.ttl(), end);
    }

    /** Returns a lease of the same grant with another start and length, for a renewal; it may end earlier than this one. */
    public static Lease startingAt(Lease lease, long start, Duration length) {
        return with(lease, length, start + length.toNanos());
    }

    /**
     * Returns the same grant after a renewal that was first sent at the start, less the skew margin if the result is for
     * the holder. It never ends earlier than before, and its ttl stays: it is the length of the next renewals.
     */
    public static Lease renewed(Lease lease, long start, Duration length) {
        return endingAt(
                lease, lease.validUntilNanos() + Math.max(0, start + length.toNanos() - lease.validUntilNanos()));
    }

    private static Lease with(Lease lease, Duration ttl, long end) {
        return new Lease(lease.name(), lease.owner(), lease.fencingToken(), ttl, end);
    }
}
