package org.mongolocks.strategy.optimisticversion;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LeaseDocument;
import org.mongolocks.spi.LeasePrograms;
import org.mongolocks.spi.Observation;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.UpdateSpec;

/**
 * The mode that judges a lease by observing it for longer than it lasts, on the waiter's own monotonic clock. No two
 * clocks are compared; they only have to run at about the same rate.
 */
record ObservedExpiry(String strategy, LeaseDocument document, LeasePrograms programs) implements ExpiryPolicy {
    /** The rates of two clocks may differ by one part in this number: by 1 %. */
    static final int RATE_TOLERANCE = 100;
    /** The assumed resolution of a clock. */
    static final Duration GRANULARITY = Duration.ofMillis(10);

    @Override
    public Step<Optional<LockSnapshot>> look(AcquireContext context) {
        return programs.read("look", context.name())
                .andThen(found -> Step.done(
                        found.map(seen -> seen.holder().isPresent() ? judged(seen, context.previous()) : seen)));
    }

    @Override
    public UpdateSpec taken(AcquireContext context, long token) {
        return OperatorUpdates.taken(context, token);
    }

    @Override
    public UpdateSpec kept(AcquireContext context) {
        return OperatorUpdates.kept(context);
    }

    /** Returns for how long a lease must be unchanged before it counts as ended. */
    static Duration watchOf(Duration lease) {
        return lease.plus(lease.dividedBy(RATE_TOLERANCE)).plus(GRANULARITY);
    }

    private static LockSnapshot judged(LockSnapshot seen, Optional<Observation> before) {
        Duration watched = before.filter(observation -> isUnchanged(observation.snapshot(), seen))
                .map(Observation::unchangedFor)
                .orElse(Duration.ZERO);
        Duration left = watchOf(seen.ttl()).minus(watched);
        return withRemaining(seen, left.isNegative() ? Duration.ZERO : left);
    }

    /**
     * Returns whether two readings show the same lease. Revision and owner do not show that: an election may undo a
     * grant or a renewal, and when the holder retries it makes the same revision, with a lease that began later.
     */
    private static boolean isUnchanged(LockSnapshot before, LockSnapshot now) {
        return before.revision() == now.revision()
                && before.holder().equals(now.holder())
                && before.leaseId().equals(now.leaseId());
    }

    static LockSnapshot withRemaining(LockSnapshot seen, Duration left) {
        return new LockSnapshot(
                seen.name(),
                seen.holder(),
                seen.fencingToken(),
                seen.revision(),
                seen.acquiredAt(),
                seen.expiresAt(),
                seen.ttl(),
                Optional.of(left),
                seen.holderInfo(),
                seen.leaseId());
    }
}
