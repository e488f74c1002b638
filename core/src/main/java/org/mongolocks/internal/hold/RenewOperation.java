package org.mongolocks.internal.hold;

import java.time.Duration;
import org.mongolocks.Lease;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.internal.run.LeaseTimes;
import org.mongolocks.internal.run.RenewalTime;
import org.mongolocks.internal.run.TimeBudget.FaultRetry;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.Step;

/**
 * The renewal of the lease of one held lock, whose result is recorded there. After a fault the old end of the lease
 * stands, and the renewal is retried until then. A lease that has ended on the holder's clock is never renewed.
 */
public final class RenewOperation implements AutoCloseable {
    private final ClientSettings settings;
    private final Hold hold;
    private final Lease lease;
    private final Duration ttl;
    private FaultRetry faults;

    /**
     * Creates a renewal after which the lease lasts at least that long, see {@link #requireTtl}; it never gets
     * shorter.
     */
    public RenewOperation(ClientSettings settings, Hold hold, Duration ttl) {
        this.settings = settings;
        this.hold = hold;
        this.lease = hold.lease();
        this.ttl = ttl;
        this.faults = new FaultRetry(settings, lease.validUntilNanos()).atLeast(RenewalTime.MAX_TRIES);
    }

    /**
     * Begins a renewal that the holder requests.
     *
     * @return the renewal, to be {@linkplain #close closed} at its end
     * @throws IllegalStateException while a guarded transaction is open, whose commit renews the lock
     */
    public static RenewOperation ofHolder(ClientSettings settings, Hold hold, Duration ttl) {
        hold.gate().requireEntry(hold.name());
        return new RenewOperation(settings, hold, ttl);
    }

    /** Ends a renewal that the holder requested. */
    @Override
    public void close() {
        hold.gate().leave();
    }

    /** Returns the time for this renewal, which is what is left of the lease. */
    public RenewalTime time() {
        return RenewalTime.of(LeaseTimes.remaining(lease, settings.time().nanoTime()));
    }

    /** Returns a program that ends with whether the lease was extended, or fails when the server gave no result. */
    public Step<Boolean> start() {
        hold.markRenewing();
        long started = settings.time().nanoTime();
        if (LeaseTimes.remaining(lease, started).isZero()) {
            return lost(LossReason.EXPIRED);
        }
        return settings.strategy()
                .renew(LeaseTimes.startingAt(lease, started, ttl))
                .then(
                        renewal -> renewal instanceof Renewal.Lost lost
                                ? lost(lost.reason())
                                : Step.done(hold.markRenewed(
                                        started + heldFor(settings, ttl).toNanos())),
                        failure -> faults.retryOrElse(failure, this::start, () -> new Step.Fail<>(failure)));
    }

    private Step<Boolean> lost(LossReason reason) {
        hold.markLost(reason);
        return Step.done(false);
    }

    /** Limits the retries to that time and to the end of the lease, and their number to that of the client. */
    public RenewOperation within(Duration timeout) {
        long end = settings.time().nanoTime() + timeout.toNanos();
        faults = new FaultRetry(settings, end - lease.validUntilNanos() < 0 ? end : lease.validUntilNanos());
        return this;
    }

    /** Returns how long a lease of that ttl lasts for its holder, counted from before it was sent: less the skew margin. */
    public static Duration heldFor(ClientSettings settings, Duration ttl) {
        return ttl.minus(settings.holding().marginFor(ttl));
    }

    /** Returns the length of a renewal, which must be within the bounds of a request and exceed the skew margin. */
    public static Duration requireTtl(ClientSettings settings, Lease lease, Duration ttl) {
        Duration checked = LockRequest.of(lease.name(), ttl).ttl();
        settings.holding().marginFor(checked);
        return checked;
    }
}
