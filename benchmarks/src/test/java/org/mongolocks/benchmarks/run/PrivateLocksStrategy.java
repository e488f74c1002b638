package org.mongolocks.benchmarks.run;

import java.util.OptionalLong;
import java.util.Set;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.Step;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** A deliberately broken strategy: each owner has a separate lock, so that all owners hold the lock at once. */
public final class PrivateLocksStrategy extends StubStrategy {
    private final LockStrategy sound = new FindAndModifyCounterStrategy();

    public PrivateLocksStrategy() {
        super("private-locks", Set.of(Trait.SERVER_CLOCK));
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        AcquireContext mine = AcquireContext.of(
                        own(context.name(), context.owner()), context.owner(), context.ttl(), context.startedNanos())
                .previous(context.previous())
                .lastSeen(
                        context.previous().isPresent()
                                ? AcquireContext.LastKnownState.HELD
                                : AcquireContext.LastKnownState.UNKNOWN)
                .holderInfo(context.holderInfo());
        return sound.acquire(mine).andThen(outcome -> Step.done(renamed(outcome, context.name())));
    }

    @Override
    public Step<Renewal> renew(Lease lease) {
        return sound.renew(renamed(lease, own(lease.name(), lease.owner())));
    }

    @Override
    public Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken) {
        return sound.release(own(name, owner), owner, fencingToken);
    }

    private static LockName own(LockName name, Owner owner) {
        return LockName.of(name + " of " + owner);
    }

    private static LockOutcome renamed(LockOutcome outcome, LockName name) {
        return outcome instanceof LockOutcome.Acquired acquired
                ? new LockOutcome.Acquired(renamed(acquired.lease(), name))
                : outcome;
    }

    private static Lease renamed(Lease lease, LockName name) {
        return new Lease(name, lease.owner(), lease.fencingToken(), lease.ttl(), lease.validUntilNanos());
    }
}
