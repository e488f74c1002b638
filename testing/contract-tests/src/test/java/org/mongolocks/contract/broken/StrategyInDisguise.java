package org.mongolocks.contract.broken;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MultiLockOutcome;
import org.mongolocks.spi.Renewal;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.Trait;

/** A strategy that delegates to a correct one; subclasses change a part. */
public abstract class StrategyInDisguise implements LockStrategy {
    private final LockStrategy strategy;

    public StrategyInDisguise(LockStrategy strategy) {
        this.strategy = strategy;
    }

    @Override
    public String name() {
        return strategy.name();
    }

    @Override
    public Optional<String> format() {
        return strategy.format();
    }

    @Override
    public Set<Trait> traits() {
        return strategy.traits();
    }

    @Override
    public LockSchema schema() {
        return strategy.schema();
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        return strategy.acquire(context);
    }

    @Override
    public Optional<Step<MultiLockOutcome>> acquireAll(List<AcquireContext> contexts) {
        return strategy.acquireAll(contexts);
    }

    @Override
    public Step<Renewal> renew(Lease lease) {
        return strategy.renew(lease);
    }

    @Override
    public Optional<Step<Boolean>> renewAll(List<Lease> leases) {
        return strategy.renewAll(leases);
    }

    @Override
    public Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken) {
        return strategy.release(name, owner, fencingToken);
    }

    @Override
    public Step<Optional<LockSnapshot>> inspect(LockName name) {
        return strategy.inspect(name);
    }

    @Override
    public Step<LockPage> list(LockQuery query) {
        return strategy.list(query);
    }

    @Override
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        return strategy.forceRelease(seen);
    }

    @Override
    public Step<Long> raiseTokens(LockQuery query, long floor) {
        return strategy.raiseTokens(query, floor);
    }
}
