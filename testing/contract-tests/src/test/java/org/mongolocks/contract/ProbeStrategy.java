package org.mongolocks.contract;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/** A strategy without locks: acquiring sends the given operations, and keeps their replies. */
public final class ProbeStrategy implements LockStrategy {
    private final List<Reply> replies = new CopyOnWriteArrayList<>();
    private final List<MongoOp> operations;

    public ProbeStrategy(List<MongoOp> operations) {
        this.operations = operations;
    }

    public List<Reply> replies() {
        return List.copyOf(replies);
    }

    @Override
    public String name() {
        return "probe";
    }

    @Override
    public Optional<String> format() {
        return Optional.empty();
    }

    @Override
    public Set<Trait> traits() {
        return Set.of();
    }

    @Override
    public LockSchema schema() {
        return LockSchema.locksOnly();
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        return sendAll(context.name(), operations.iterator());
    }

    @Override
    public Step<Renewal> renew(Lease lease) {
        throw new AssertionError("nothing is held");
    }

    /** Called after an attempt that met a fault, because its command could still be granted. */
    @Override
    public Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken) {
        return Step.done(false);
    }

    @Override
    public Step<Boolean> releaseAfter(Lease lease) {
        return Step.done(false);
    }

    @Override
    public Step<Optional<LockSnapshot>> inspect(LockName name) {
        throw new AssertionError("nothing is stored");
    }

    @Override
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        throw new AssertionError("nothing is stored");
    }

    @Override
    public Step<LockPage> list(LockQuery query) {
        throw new AssertionError("nothing is stored");
    }

    @Override
    public Step<Long> raiseTokens(LockQuery query, long floor) {
        throw new AssertionError("nothing is stored");
    }

    private Step<LockOutcome> sendAll(LockName name, Iterator<MongoOp> rest) {
        if (!rest.hasNext()) {
            return Step.done(new LockOutcome.Contended(LockSnapshot.unused(name)));
        }
        return Step.call(rest.next(), reply -> {
            replies.add(reply);
            return sendAll(name, rest);
        });
    }
}
