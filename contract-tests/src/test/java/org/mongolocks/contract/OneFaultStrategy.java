package org.mongolocks.contract;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Renewal;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.Trait;

/** Is another strategy that renews nothing more once a renewal has failed, as a keep-alive whose thread has died. */
final class OneFaultStrategy implements LockStrategy {
    private final LockStrategy strategy;
    private final AtomicReference<Reply.@Nullable Failed> fault = new AtomicReference<>();

    OneFaultStrategy(LockStrategy strategy) {
        this.strategy = strategy;
    }

    @Override
    public String name() {
        return strategy.name();
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
    public Step<Renewal> renew(Lease lease) {
        return untilItFails(strategy.renew(lease));
    }

    @Override
    public Optional<Step<Boolean>> renewAll(List<Lease> leases) {
        return strategy.renewAll(leases).map(this::untilItFails);
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
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        return strategy.forceRelease(seen);
    }

    private <R> Step<R> untilItFails(Step<R> renewal) {
        Reply.Failed before = fault.get();
        return before != null ? new Step.Fail<>(before) : renewal.fold(Step::done, this::failed);
    }

    private <R> Step<R> failed(Reply.Failed failure) {
        fault.set(failure);
        return new Step.Fail<>(failure);
    }
}
