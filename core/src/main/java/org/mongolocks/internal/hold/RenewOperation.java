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
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * The renewal of one lease. After a fault the old end of the lease stands, and the renewal is retried until then. A
 * lease that has ended on the holder's clock is never renewed.
 */
public final class RenewOperation {
    private final ClientSettings settings;
    private final Lease lease;
    private final Duration ttl;
    private FaultRetry faults;

    public sealed interface Result {
        /** Records the result, and returns whether the lease was extended. */
        boolean noteIn(Hold hold);

        record Extended(Lease lease) implements Result {
            @Override
            public boolean noteIn(Hold hold) {
                return hold.markRenewed(lease.validUntilNanos());
            }
        }

        /**
         * The lock is no longer held.
         *
         * @param reason why it was lost
         */
        record Lost(LossReason reason) implements Result {
            @Override
            public boolean noteIn(Hold hold) {
                hold.markLost(reason);
                return false;
            }
        }
    }

    /** Creates a renewal for a whole ttl of the lease. */
    public RenewOperation(ClientSettings settings, Lease lease) {
        this(settings, lease, lease.ttl());
    }

    /**
     * Creates a renewal after which the lease lasts at least that long, see {@link #requireTtl}; it never gets
     * shorter.
     */
    public RenewOperation(ClientSettings settings, Lease lease, Duration ttl) {
        this.settings = settings;
        this.lease = lease;
        this.ttl = ttl;
        this.faults = new FaultRetry(settings, lease.validUntilNanos()).atLeast(RenewalTime.MAX_TRIES);
    }

    /** Returns a program that ends with a definite result, or fails when the server gave none. */
    public Step<Result> start() {
        long started = settings.time().nanoTime();
        if (LeaseTimes.remaining(lease, started).isZero()) {
            return Step.done(new Result.Lost(LossReason.EXPIRED));
        }
        return settings.strategy()
                .renew(LeaseTimes.startingAt(lease, started, ttl))
                .then(renewal -> answered(renewal, started), this::failed);
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

    private Step<Result> answered(Renewal renewal, long started) {
        if (renewal instanceof Renewal.Lost lost) {
            return Step.done(new Result.Lost(lost.reason()));
        }
        return Step.done(new Result.Extended(LeaseTimes.renewed(lease, started, heldFor(settings, ttl))));
    }

    private Step<Result> failed(Reply.Failed failure) {
        return faults.retryOrElse(failure, this::start, () -> new Step.Fail<>(failure));
    }
}
