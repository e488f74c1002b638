package org.mongolocks.internal.acquire;

import java.util.List;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LastKnownState;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MultiLockOutcome;
import org.mongolocks.spi.Step;

/**
 * An attempt to acquire several locks in one step, for a strategy that supports it. One object serves one acquisition.
 */
final class MultiLockAttempt implements LockAttempt {
    private final LockStrategy strategy;
    private final MultiLockRequest request;
    private List<Lease> leases = List.of();

    MultiLockAttempt(LockStrategy strategy, MultiLockRequest request) {
        this.strategy = strategy;
        this.request = request;
    }

    @Override
    public LockRequest request() {
        return request.forOne(request.names().get(0));
    }

    @Override
    public List<LockName> names() {
        return request.names();
    }

    @Override
    public Step<LockOutcome> ask(AcquireContext first) {
        List<AcquireContext> contexts =
                names().stream().map(name -> forOne(name, first)).toList();
        return strategy.acquireAll(contexts)
                .orElseThrow(() -> new IllegalStateException(
                        "Strategy '" + strategy.name() + "' has the trait MULTI_LOCK, but grants one by one"))
                .andThen(this::answered);
    }

    /** All leases were requested at the same time, so they end at the same time. */
    @Override
    public List<Lease> granted(Lease told) {
        return leases.stream()
                .map(lease -> new Lease(
                        lease.name(), lease.owner(), lease.fencingToken(), lease.ttl(), told.validUntilNanos()))
                .toList();
    }

    private Step<LockOutcome> answered(MultiLockOutcome outcome) {
        if (outcome instanceof MultiLockOutcome.Acquired acquired) {
            leases = acquired.leases();
            return Step.done(new LockOutcome.Acquired(leases.get(0)));
        }
        return Step.done(new LockOutcome.Contended(((MultiLockOutcome.Contended) outcome).holder()));
    }

    /** The known state applies to the lock that was contended, or else to the first. */
    private static AcquireContext forOne(LockName name, AcquireContext first) {
        LockName known = first.previous().map(seen -> seen.snapshot().name()).orElse(first.name());
        return new AcquireContext(
                name,
                first.owner(),
                first.ttl(),
                first.startedNanos(),
                first.previous().filter(seen -> seen.snapshot().name().equals(name)),
                name.equals(known) ? first.lastSeen() : LastKnownState.UNKNOWN,
                first.holder());
    }
}
