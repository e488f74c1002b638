package org.mongolocks.contract.broken;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
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
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MultiLockOutcome;
import org.mongolocks.spi.Renewal;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.Trait;

/** A strategy whose operations are changed before they are sent. */
record MutatedStrategy(LockStrategy strategy, UnaryOperator<MongoOp> mutation) implements LockStrategy {
    @Override
    public String name() {
        return "mutated-" + strategy.name();
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
        return mutated(strategy.acquire(context));
    }

    @Override
    public Optional<Step<MultiLockOutcome>> acquireAll(List<AcquireContext> contexts) {
        return strategy.acquireAll(contexts).map(this::mutated);
    }

    @Override
    public Step<Renewal> renew(Lease lease) {
        return mutated(strategy.renew(lease));
    }

    @Override
    public Optional<Step<Boolean>> renewAll(List<Lease> leases) {
        return strategy.renewAll(leases).map(this::mutated);
    }

    @Override
    public Step<Boolean> release(LockName lock, Owner owner, OptionalLong fencingToken) {
        return mutated(strategy.release(lock, owner, fencingToken));
    }

    @Override
    public Step<Optional<LockSnapshot>> inspect(LockName lock) {
        return mutated(strategy.inspect(lock));
    }

    @Override
    public Step<LockPage> list(LockQuery query) {
        return mutated(strategy.list(query));
    }

    @Override
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        return mutated(strategy.forceRelease(seen));
    }

    @Override
    public Step<Long> raiseTokens(LockQuery query, long floor) {
        return mutated(strategy.raiseTokens(query, floor));
    }

    private <R> Step<R> mutated(Step<R> step) {
        if (step instanceof Step.Call<R> call) {
            return Step.call(
                    mutation.apply(call.op()), reply -> mutated(call.then().apply(reply)));
        }
        return step;
    }
}
