package org.mongolocks.internal.hold;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.Owner;
import org.mongolocks.internal.hold.HoldState.Earlier;
import org.mongolocks.internal.run.TimeBudget.FaultRetry;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.Step;

/**
 * The release of one lock, with retries after faults, for about as long as one command may take. When a release whose
 * reply was lost is followed by one that finds nothing to release, a read of the lock shows the reason: the earlier
 * release, or a loss before it.
 */
public final class ReleaseOperation {
    private final ClientSettings settings;
    private final LockName name;
    private final Owner owner;
    private final OptionalLong fencingToken;
    private final long endNanos;
    private final long startNanos;
    private Duration retryTime;
    private OptionalLong minimumEndNanos = OptionalLong.empty();
    private boolean isRepetition;
    private Earlier earlier = Earlier.NONE;
    private @Nullable FaultRetry faults;

    /**
     * Creates a release whose retries count from now.
     *
     * @param fencingToken the token of the grant, if known
     * @param endNanos when the lease ends by itself
     */
    public ReleaseOperation(
            ClientSettings settings,
            LockName name,
            Owner owner,
            OptionalLong fencingToken,
            long endNanos,
            long nowNanos) {
        this.settings = settings;
        this.name = name;
        this.owner = owner;
        this.fencingToken = fencingToken;
        this.endNanos = endNanos;
        this.startNanos = nowNanos;
        this.retryTime = settings.commandTimeout();
    }

    /** Limits the retries to that time. */
    public ReleaseOperation within(Duration timeout) {
        retryTime = timeout;
        return this;
    }

    /**
     * Keeps the lock held until a time on the clock of the client, if that comes later than the release. The token of
     * the grant must be known.
     */
    void notBefore(long minimumEnd) {
        minimumEndNanos = OptionalLong.of(minimumEnd);
    }

    /**
     * Adds the outcome of the earlier releases in the name of this owner.
     *
     * @param withoutCaller whether the caller of the first no longer waits: another owner may have acquired the lock after
     *     it
     */
    ReleaseOperation after(Earlier outcome, boolean withoutCaller) {
        earlier = outcome;
        isRepetition = withoutCaller;
        return this;
    }

    /** Returns the outcome of all releases so far, if this one has no reply. */
    Earlier outcome() {
        return earlier;
    }

    /** Returns a program that ends with true if the lock was held until now, or fails when the server gave no reply. */
    public Step<Boolean> start() {
        return attempt()
                .then(released -> released || earlier == Earlier.NONE ? Step.done(released) : inspect(), failure -> {
                    earlier = failure.isAmbiguous() ? Earlier.MAY_BE_EXECUTED : earlier;
                    return faults().retryOrElse(failure, this::start, () -> new Step.Fail<>(failure));
                });
    }

    /** Reads why a lock was not held, whose lease has not ended. */
    Step<LossReason> lossReason() {
        Lease lost = new Lease(name, owner, fencingToken.orElseThrow(), Duration.ZERO, endNanos);
        return settings.strategy().lossReason(lost).then(Step::done, failure -> Step.done(LossReason.TAKEN_OVER));
    }

    private Step<Boolean> attempt() {
        long now = minimumEndNanos.isEmpty() ? 0 : settings.time().nanoTime();
        Duration left = Duration.ofNanos(minimumEndNanos.orElse(now) - now);
        if (left.isNegative() || left.isZero()) {
            return settings.strategy().release(name, owner, fencingToken);
        }
        // Both this time and the date that it is added to are cut to milliseconds.
        Duration rest = Duration.ofMillis(left.toMillis() + 2);
        long end = now + rest.toNanos();
        return settings.strategy().releaseAfter(new Lease(name, owner, fencingToken.orElseThrow(), rest, end));
    }

    private FaultRetry faults() {
        FaultRetry known = faults == null ? new FaultRetry(settings, startNanos + retryTime.toNanos()) : faults;
        faults = known;
        return known;
    }

    private Step<Boolean> inspect() {
        return settings.strategy()
                .inspect(name)
                .then(
                        seen -> Step.done(wasFreedByOwner(seen)),
                        failure -> faults().retryOrElse(failure, this::inspect, () -> new Step.Fail<>(failure)));
    }

    /**
     * A tombstone with the token of the grant, or a lease of no owner, was left by its owner: a forced release and a
     * later grant leave a larger one. A missing document may have been released, or cleaned up after a loss; while the lease lasted there was no
     * loss. Without a caller, any later grant or forced release may have followed a release that was executed.
     */
    private boolean wasFreedByOwner(Optional<LockSnapshot> seen) {
        boolean isLeaseLeft = settings.time().nanoTime() - endNanos < 0;
        if (isRepetition && earlier == Earlier.MAY_BE_EXECUTED && isLeaseLeft) {
            return true;
        }
        return seen.map(lock -> lock.holder()
                                .filter(holder -> !holder.equals(owner.storedAfterRelease()))
                                .isEmpty()
                        && OptionalLong.of(lock.fencingToken()).equals(fencingToken))
                .orElse(isLeaseLeft);
    }
}
