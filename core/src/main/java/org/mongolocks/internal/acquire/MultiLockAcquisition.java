package org.mongolocks.internal.acquire;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientClosedException;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.Owner;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.internal.run.CompensatedProgram;
import org.mongolocks.internal.run.PendingCompensation;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.WaiterQueues;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * An acquisition of several locks, all or none. One object serves one run, on one thread at a time.
 *
 * <ol>
 *   <li>With the trait {@link Trait#MULTI_LOCK}, all locks are acquired in one step, by one {@link GrantAcquisition}.
 *   <li>With other strategies the locks are acquired one after another, in the order of their names, by one
 *       {@link GrantAcquisition} each, of the same owner. Since all clients keep that order there is no deadlock. The locks
 *       that are held are kept alive meanwhile.
 *   <li>Leases of which much has passed are renewed, and all locks are returned.
 *   <li>If one lock is contended until the deadline, after a fault, or if a held lock is lost, all locks are released.
 *       If that gets no reply either, the outcome is {@link LockOutcome.Indeterminate}.
 * </ol>
 */
public final class MultiLockAcquisition implements CompensatedProgram<AcquireResult> {
    private final ClientSettings settings;
    private final MultiLockRequest request;
    private final WaiterQueues queues;
    private final HoldRegistry holds;
    private final Owner owner;
    private final TimeBudget budget;
    private final long askedNanos;
    private final Iterator<Supplier<GrantAcquisition>> acquisitions;
    private final List<Hold> acquired = new ArrayList<>();
    private final AbortOnLoss abort = new AbortOnLoss();
    private @Nullable GrantAcquisition current;
    private boolean rolledBack;

    /**
     * Creates an acquisition. Its deadline counts from this call, not from {@link #start}.
     *
     * @param request the locks, the ttl and the wait
     * @param holds the locks that the client holds
     * @throws IllegalArgumentException if the ttl does not exceed the client's skew margin
     */
    public MultiLockAcquisition(
            ClientSettings settings, MultiLockRequest request, WaiterQueues queues, HoldRegistry holds) {
        settings.holding().marginFor(request.ttl());
        this.settings = settings;
        this.request = request;
        this.queues = queues;
        this.holds = holds;
        this.owner = settings.newOwner();
        this.askedNanos = settings.time().nanoTime();
        this.budget = TimeBudget.waitingAtMost(settings, request.waitAtMost(), askedNanos);
        this.acquisitions = acquisitions(settings.strategy()).iterator();
    }

    @Override
    public Step<AcquireResult> start() {
        return next();
    }

    @Override
    public void close() {
        abort.close();
        if (current != null) {
            current.close();
        }
    }

    @Override
    public boolean needsCompensation() {
        return !rolledBack && (!acquired.isEmpty() || (current != null && current.needsCompensation()));
    }

    /** The locks that were acquired are not part of it: the client repeats a release that got no reply. */
    @Override
    public Optional<PendingCompensation> pendingCompensation() {
        return current == null ? Optional.empty() : current.pendingCompensation();
    }

    @Override
    public Optional<TimeBudget> limit() {
        return Optional.of(budget);
    }

    @Override
    public Step<Boolean> compensate() {
        List<Supplier<Step<Boolean>>> programs = new ArrayList<>();
        if (current != null && (current.needsCompensation() || current.hasPendingCompensation())) {
            programs.add(current::compensate);
        }
        // They are not kept alive any more, and a release that was aborted may be sent again.
        acquired.forEach(Hold::recordReleaseFailed);
        acquired.forEach(hold -> programs.add(() -> release(hold)));
        return ProgramSequence.run(programs).then(this::released, Step.Fail::new);
    }

    private Step<Boolean> released(boolean wereHeld) {
        acquired.clear();
        return Step.done(wereHeld);
    }

    private List<Supplier<GrantAcquisition>> acquisitions(LockStrategy strategy) {
        return strategy.traits().contains(Trait.MULTI_LOCK)
                ? List.of(() -> new OneStepAcquisition(settings, request, owner, queues, budget))
                : request.names().stream().map(this::acquisitionOf).toList();
    }

    private Supplier<GrantAcquisition> acquisitionOf(LockName name) {
        return () -> new GrantAcquisition(
                settings,
                request.forOne(name),
                owner,
                queues,
                budget,
                settings.time().nanoTime());
    }

    private Step<AcquireResult> next() {
        holds.requireOpen();
        Optional<AcquireResult> lost = firstLost();
        if (lost.isPresent()) {
            return rollback(Step.done(lost.get()));
        }
        return acquisitions.hasNext()
                ? acquire(acquisitions.next().get())
                : new StaleLeaseRenewal(settings, acquired, budget).start().then(fresh -> complete(), this::failed);
    }

    private Step<AcquireResult> acquire(GrantAcquisition acquisition) {
        current = acquisition;
        return abort.wrap(acquisition.start(), () -> abandon(acquisition))
                .then(outcome -> answered(acquisition, outcome), this::failed);
    }

    /** A held lock was lost while this one was awaited. */
    private Step<LockOutcome> abandon(GrantAcquisition acquisition) {
        Step<LockOutcome> contended = Step.done(
                new LockOutcome.Contended(LockSnapshot.unused(request.names().get(acquired.size()))));
        return acquisition.needsCompensation()
                ? acquisition
                        .compensate()
                        .then(
                                released -> contended,
                                lost -> Step.done(new LockOutcome.Indeterminate(owner, lost.cause())))
                : contended;
    }

    private Step<AcquireResult> answered(GrantAcquisition acquisition, LockOutcome outcome) {
        if (outcome instanceof LockOutcome.Acquired granted) {
            acquisition.grants(granted.lease()).forEach(this::register);
            endCurrent();
            return next();
        }
        endCurrent();
        if (outcome instanceof LockOutcome.Indeterminate unknown) {
            return rollback(Step.done(new AcquireResult.Unknown(unknown, request.ttl())));
        }
        AcquireResult contended =
                new AcquireResult.Contended(((LockOutcome.Contended) outcome).lock(), request.waitAtMost());
        return rollback(Step.done(firstLost().orElse(contended)));
    }

    private Step<AcquireResult> failed(Reply.Failed failure) {
        endCurrent();
        return rollback(new Step.Fail<>(failure));
    }

    /**
     * Registers a grant. If the client was closed meanwhile, throws {@code ClientClosedException}; the runner then
     * calls {@link #compensate}, which releases the grant.
     */
    private void register(Lease lease) {
        LockRequest one = request.forOne(lease.name());
        Hold hold =
                holds.add(one, lease, askedNanos, settings.time().nanoTime()).orElseThrow(ClientClosedException::new);
        if (acquisitions.hasNext() && !isKeptAliveForGood()) {
            holds.keepAlive(hold, Optional.empty());
        }
        acquired.add(hold);
        abort.watch(hold);
    }

    /** Returns whether each lock is kept alive without a limit, also after the acquisition of the others. */
    private boolean isKeptAliveForGood() {
        return request.isKeptAlive() && request.keepAliveLimit().isEmpty();
    }

    private void endCurrent() {
        if (current != null) {
            current.close();
            current = current.hasPendingCompensation() ? current : null;
        }
    }

    private Optional<AcquireResult> firstLost() {
        return acquired.stream()
                .filter(hold -> !hold.isHeld())
                .findFirst()
                .map(hold -> new AcquireResult.Lost(hold, hold.loss().orElse(LossReason.EXPIRED)));
    }

    private Step<AcquireResult> complete() {
        holds.requireOpen();
        Optional<AcquireResult> lost = firstLost();
        if (lost.isPresent()) {
            return rollback(Step.done(lost.get()));
        }
        if (!isKeptAliveForGood()) {
            acquired.forEach(holds::stopKeepAlive);
        }
        request.keepAliveLimit()
                .ifPresent(limit -> acquired.forEach(hold -> holds.keepAlive(hold, Optional.of(limit))));
        abort.close();
        return Step.done(new AcquireResult.Held(List.copyOf(acquired)));
    }

    /** A lock that cannot be released may be held until its ttl has passed, whatever became of the others. */
    private Step<AcquireResult> rollback(Step<AcquireResult> end) {
        return compensate()
                .then(
                        released -> rolledBack(end),
                        lost -> rolledBack(Step.done(new AcquireResult.Unknown(
                                new LockOutcome.Indeterminate(owner, lost.cause()), request.ttl()))));
    }

    /** Only now: a rollback that is cut short needs a compensation. */
    private Step<AcquireResult> rolledBack(Step<AcquireResult> end) {
        rolledBack = true;
        return end;
    }

    private Step<Boolean> release(Hold hold) {
        return queues.notifyingWaiters(hold.lease().name(), hold.releaseProgram(settings, budget.retryTime()));
    }
}
