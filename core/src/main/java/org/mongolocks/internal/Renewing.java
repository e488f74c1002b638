package org.mongolocks.internal;

import java.time.Duration;
import org.mongolocks.ClientSettings;
import org.mongolocks.Lease;
import org.mongolocks.LossReason;
import org.mongolocks.spi.Renewal;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * Renews one lease. After a fault the old end of the lease stands, and the question is asked again until then. A lease
 * that has ended on the holder's clock is never brought back.
 */
public final class Renewing {
    private final ClientSettings settings;
    private final Lease lease;
    private FaultRetry faults;

    /** Tells how the renewal ended. */
    public sealed interface Result {
        /**
         * Notes it.
         *
         * @param hold the lock that was renewed
         * @return true if the lease is longer now
         */
        boolean noteIn(Hold hold);

        /**
         * The lease was renewed.
         *
         * @param lease the lease with its new end
         */
        record Extended(Lease lease) implements Result {
            @Override
            public boolean noteIn(Hold hold) {
                return hold.extended(lease);
            }
        }

        /**
         * The lock is not held any more.
         *
         * @param reason why
         */
        record Lost(LossReason reason) implements Result {
            @Override
            public boolean noteIn(Hold hold) {
                hold.lost(reason);
                return false;
            }
        }
    }

    /**
     * Begins a renewal.
     *
     * @param settings the settings of the client
     * @param lease the lease
     */
    public Renewing(ClientSettings settings, Lease lease) {
        this.settings = settings;
        this.lease = lease;
        this.faults = new FaultRetry(settings, lease.validUntilNanos());
    }

    /**
     * Gives the program.
     *
     * @return a program that ends with a definite result, or fails when the server gave none
     */
    public Step<Result> start() {
        long started = settings.time().nanoTime();
        if (lease.remaining(started).isZero()) {
            return Step.done(new Result.Lost(LossReason.EXPIRED));
        }
        return settings.strategy()
                .renew(lease.renewed(started))
                .fold(renewal -> answered(renewal, started), this::failed);
    }

    /** Asks again for so long only, and not past the end of the lease. */
    Renewing within(Duration patience) {
        long end = settings.time().nanoTime() + patience.toNanos();
        faults = new FaultRetry(settings, end - lease.validUntilNanos() < 0 ? end : lease.validUntilNanos());
        return this;
    }

    /** Counts the new end of a lease from before the renewal was sent, less the skew margin. */
    static Lease renewed(ClientSettings settings, Lease lease, long startedNanos) {
        Duration margin = settings.holding().marginFor(lease.ttl());
        return lease.renewed(startedNanos - margin.toNanos());
    }

    private Step<Result> answered(Renewal renewal, long started) {
        if (renewal instanceof Renewal.Lost lost) {
            return Step.done(new Result.Lost(lost.reason()));
        }
        return Step.done(new Result.Extended(renewed(settings, lease, started)));
    }

    private Step<Result> failed(Reply.Failed failure) {
        return faults.again(failure, this::start, () -> new Step.Fail<>(failure));
    }
}
