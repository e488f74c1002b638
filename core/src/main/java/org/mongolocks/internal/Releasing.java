package org.mongolocks.internal;

import java.util.OptionalLong;
import org.mongolocks.ClientSettings;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * Releases one lock, and asks again after a fault until the lease has ended by itself. A release that was heard although
 * its reply was lost counts as done when asking again finds nothing to release.
 */
public final class Releasing {
    private final ClientSettings settings;
    private final LockName name;
    private final Owner owner;
    private final OptionalLong fencingToken;
    private final FaultRetry faults;
    private boolean doubted;

    /**
     * Begins a release.
     *
     * @param settings the settings of the client
     * @param name what is locked
     * @param owner who holds it
     * @param fencingToken the token of the grant, if known
     * @param untilNanos when the lease has ended by itself, so that asking again is of no more use
     */
    public Releasing(ClientSettings settings, LockName name, Owner owner, OptionalLong fencingToken, long untilNanos) {
        this.settings = settings;
        this.name = name;
        this.owner = owner;
        this.fencingToken = fencingToken;
        this.faults = new FaultRetry(settings, untilNanos);
    }

    /**
     * Begins to release a lock that is held.
     *
     * @param settings the settings of the client
     * @param lease the newest lease
     * @return the release
     */
    public static Releasing of(ClientSettings settings, Lease lease) {
        OptionalLong token = OptionalLong.of(lease.fencingToken());
        return new Releasing(settings, lease.name(), lease.owner(), token, lease.validUntilNanos());
    }

    /**
     * Gives the program.
     *
     * @return a program that ends with true if the lock was held until now, or fails when the server gave no answer
     */
    public Step<Boolean> start() {
        return settings.strategy()
                .release(name, owner, fencingToken)
                .fold(released -> Step.done(released || doubted), this::failed);
    }

    private Step<Boolean> failed(Reply.Failed failure) {
        doubted |= failure.fault() == Fault.AMBIGUOUS;
        return faults.again(failure, this::start, () -> new Step.Fail<>(failure));
    }
}
