package org.mongolocks.internal.acquire;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientClosedException;
import org.mongolocks.ClientSettings;
import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.internal.run.ClientRuns.CompensatedProgram;
import org.mongolocks.internal.run.PendingCompensation;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.wait.WaiterQueues;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Step;

/**
 * An acquisition of one lock, which is held from the moment of its grant: an {@link Acquisition} that registers what it
 * was granted. One object serves one run, on one thread at a time.
 */
public final class LockAcquisition implements CompensatedProgram<AcquireResult> {
    private final LockRequest request;
    private final HoldRegistry holds;
    private final Acquisition acquisition;
    private @Nullable Hold acquired;

    /**
     * Creates an acquisition. Its deadline counts from this call, not from {@link #start}.
     *
     * @param settings the settings of the client
     * @param request the lock, the ttl and the wait
     * @param owner a fresh owner
     * @param queues the waiter queues of the client
     * @param holds the locks that the client holds
     * @throws IllegalArgumentException if the ttl does not exceed the client's skew margin
     */
    public LockAcquisition(
            ClientSettings settings, LockRequest request, Owner owner, WaiterQueues queues, HoldRegistry holds) {
        this.request = request;
        this.holds = holds;
        this.acquisition = Acquisition.of(settings, request, owner, queues);
    }

    @Override
    public Step<AcquireResult> start() {
        return acquisition.start().andThen(this::answered);
    }

    private Step<AcquireResult> answered(LockOutcome outcome) {
        if (outcome instanceof LockOutcome.Acquired granted) {
            Hold hold = holds.add(request, granted.lease(), acquisition.askedNanos(), acquisition.acquiredNanos())
                    .orElseThrow(ClientClosedException::new);
            acquired = hold;
            return Step.done(new AcquireResult.Held(List.of(hold)));
        }
        return Step.done(
                outcome instanceof LockOutcome.Indeterminate unknown
                        ? new AcquireResult.Unknown(unknown)
                        : new AcquireResult.Contended(((LockOutcome.Contended) outcome).holder()));
    }

    @Override
    public boolean needsCompensation() {
        return acquired != null || acquisition.needsCompensation();
    }

    @Override
    public Step<Boolean> compensate() {
        Hold hold = acquired;
        return hold == null ? acquisition.compensate() : holds.releasing(hold);
    }

    @Override
    public Optional<PendingCompensation> pendingCompensation() {
        return acquisition.pendingCompensation();
    }

    @Override
    public Optional<TimeBudget> limit() {
        return acquisition.limit();
    }

    @Override
    public void close() {
        acquisition.close();
    }
}
