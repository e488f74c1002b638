package org.mongolocks.protocol;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.MultiLockOutcome;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * A strategy that forwards to another one, for test doubles: subclasses override a method, or change the operations of
 * all programs.
 */
public abstract class ForwardingStrategy implements LockStrategy {
    private final LockStrategy strategy;

    /**
     * Forwards to a strategy.
     *
     * @param strategy the strategy
     */
    protected ForwardingStrategy(LockStrategy strategy) {
        this.strategy = strategy;
    }

    /**
     * Changes an operation before it is sent; returns it unchanged by default.
     *
     * @param op the operation of the forwarded program
     * @return the operation to send instead
     */
    protected MongoOp change(MongoOp op) {
        return op;
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
        return changed(strategy.acquire(context));
    }

    @Override
    public Optional<Step<MultiLockOutcome>> acquireAll(List<AcquireContext> contexts) {
        return strategy.acquireAll(contexts).map(this::changed);
    }

    @Override
    public Step<Renewal> renew(Lease lease) {
        return changed(strategy.renew(lease));
    }

    @Override
    public Optional<List<Lease>> notRenewed(List<Lease> leases, Reply.Failed failure) {
        return strategy.notRenewed(leases, failure);
    }

    @Override
    public Optional<Step<Boolean>> renewAll(List<Lease> leases) {
        return strategy.renewAll(leases).map(this::changed);
    }

    @Override
    public Step<LossReason> lossReason(Lease lease) {
        return changed(strategy.lossReason(lease));
    }

    @Override
    public Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken) {
        return changed(strategy.release(name, owner, fencingToken));
    }

    @Override
    public Step<Boolean> releaseAfter(Lease lease) {
        return changed(strategy.releaseAfter(lease));
    }

    @Override
    public Optional<Step<Boolean>> releaseAll(List<Lease> leases) {
        return strategy.releaseAll(leases).map(this::changed);
    }

    @Override
    public Step<Optional<LockSnapshot>> inspect(LockName name) {
        return changed(strategy.inspect(name));
    }

    @Override
    public Step<Optional<LockOutcome.Contended>> look(LockName name, long number) {
        return changed(strategy.look(name, number));
    }

    @Override
    public Optional<String> waitingList() {
        return strategy.waitingList();
    }

    @Override
    public Step<Boolean> unregister(LockName name, long number) {
        return changed(strategy.unregister(name, number));
    }

    @Override
    public Step<LockPage> list(LockQuery query) {
        return changed(strategy.list(query));
    }

    @Override
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        return changed(strategy.forceRelease(seen));
    }

    @Override
    public Step<Long> raiseTokens(LockQuery query, long floor) {
        return changed(strategy.raiseTokens(query, floor));
    }

    private <R> Step<R> changed(Step<R> step) {
        if (step instanceof Step.Call<R> call) {
            return Step.call(change(call.op()), reply -> changed(call.then().apply(reply)));
        }
        return step;
    }
}
