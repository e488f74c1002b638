package org.mongolocks.contract.broken;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mongolocks.Lease;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.MultiLockOutcome;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.Step;

/**
 * A strategy that claims to grant several locks in one step, but acquires them one after another and keeps those it
 * got.
 */
public final class OneAfterAnother extends ForwardingStrategy {
    public OneAfterAnother(LockStrategy strategy) {
        super(strategy);
    }

    @Override
    public Set<Trait> traits() {
        Set<Trait> traits = EnumSet.copyOf(super.traits());
        traits.add(Trait.MULTI_LOCK);
        return traits;
    }

    @Override
    public Optional<Step<MultiLockOutcome>> acquireAll(List<AcquireContext> contexts) {
        return Optional.of(next(contexts, List.of()));
    }

    private Step<MultiLockOutcome> next(List<AcquireContext> contexts, List<Lease> leases) {
        if (leases.size() == contexts.size()) {
            return Step.done(new MultiLockOutcome.Acquired(leases));
        }
        return acquire(contexts.get(leases.size())).andThen(outcome -> {
            if (outcome instanceof LockOutcome.Acquired acquired) {
                List<Lease> more = new ArrayList<>(leases);
                more.add(acquired.lease());
                return next(contexts, more);
            }
            return Step.done(new MultiLockOutcome.Contended(((LockOutcome.Contended) outcome).lock()));
        });
    }
}
