package org.mongolocks.internal.acquire;

import java.util.List;
import java.util.Optional;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.Owner;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.WaiterQueues;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.MultiLockOutcome;
import org.mongolocks.spi.Step;

/** An acquisition of several locks, each attempt in one step, with a strategy that supports it. */
final class OneStepAcquisition extends GrantAcquisition {
    private final LockStrategy strategy;
    private final List<LockName> names;
    private final WaiterQueues queues;
    private List<Lease> leases = List.of();

    OneStepAcquisition(
            ClientSettings settings, MultiLockRequest request, Owner owner, WaiterQueues queues, TimeBudget budget) {
        super(
                settings,
                request.forOne(request.names().get(0)),
                owner,
                queues,
                budget,
                settings.time().nanoTime());
        this.strategy = settings.strategy();
        this.names = request.names();
        this.queues = queues;
    }

    @Override
    List<LockName> names() {
        return names;
    }

    @Override
    Step<LockOutcome> attempt(AcquireContext first) {
        List<AcquireContext> contexts =
                names.stream().map(name -> contextFor(name, first)).toList();
        return strategy.acquireAll(contexts)
                .orElseThrow(() -> new IllegalStateException(
                        "Strategy '" + strategy.name() + "' has the trait MULTI_LOCK, but grants one by one"))
                .andThen(this::answered);
    }

    @Override
    List<Lease> newestGrants() {
        return names.stream().flatMap(name -> queues.newestGrant(name).stream()).toList();
    }

    /** All leases were requested at the same time, so they end at the same time. */
    @Override
    List<Lease> grants(Lease first) {
        return leases.stream()
                .map(lease -> new Lease(
                        lease.name(), lease.owner(), lease.fencingToken(), lease.ttl(), first.validUntilNanos()))
                .toList();
    }

    private Step<LockOutcome> answered(MultiLockOutcome outcome) {
        if (outcome instanceof MultiLockOutcome.Acquired acquired) {
            leases = acquired.leases();
            return Step.done(new LockOutcome.Acquired(leases.get(0)));
        }
        return Step.done(((MultiLockOutcome.Contended) outcome).ofOne());
    }

    /** The known state applies to the lock that was contended, or else to the first. */
    private static AcquireContext contextFor(LockName name, AcquireContext first) {
        LockName known = first.previous().map(seen -> seen.snapshot().name()).orElse(first.name());
        return AcquireContext.of(name, first.owner(), first.ttl(), first.startedNanos())
                .previous(first.previous().filter(seen -> seen.snapshot().name().equals(name)))
                .lastSeen(name.equals(known) ? first.lastSeen() : LastKnownState.UNKNOWN)
                .holderInfo(first.holderInfo())
                .waiter(name.equals(known) ? first.waiter() : Optional.empty());
    }
}
