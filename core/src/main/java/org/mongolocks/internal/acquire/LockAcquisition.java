package org.mongolocks.internal.acquire;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.WaiterQueues;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Step;

/** An acquisition of one lock, which is held from the moment of its grant. */
public final class LockAcquisition extends Acquisition<AcquireResult> {
    private final LockRequest request;
    private final HoldRegistry holds;
    private @Nullable Hold acquired;

    /**
     * Creates an acquisition. Its deadline counts from the given time, not from {@link #start}.
     *
     * @param request the lock, the ttl and the wait
     * @param owner a fresh owner
     * @param holds the locks that the client holds
     * @param askedNanos the time of the call: the deadline and the first lease count from it
     * @throws IllegalArgumentException if the ttl does not exceed the client's skew margin
     */
    public LockAcquisition(
            ClientSettings settings,
            LockRequest request,
            Owner owner,
            WaiterQueues queues,
            HoldRegistry holds,
            long askedNanos) {
        super(
                settings,
                request,
                owner,
                queues,
                TimeBudget.waitingAtMost(settings, request.waitAtMost(), askedNanos),
                askedNanos);
        this.request = request;
        this.holds = holds;
    }

    @Override
    AcquireResult result(LockOutcome last) {
        if (last instanceof LockOutcome.Acquired granted) {
            Hold hold = holds.add(request, granted.lease(), askedNanos(), acquiredNanos())
                    .orElseThrow(ClientClosedException::new);
            acquired = hold;
            return new AcquireResult.Held(List.of(hold));
        }
        return last instanceof LockOutcome.Indeterminate unknown
                ? new AcquireResult.Unknown(unknown, request.ttl())
                : new AcquireResult.Contended(((LockOutcome.Contended) last).lock(), request.waitAtMost());
    }

    @Override
    public boolean needsCompensation() {
        return acquired != null || super.needsCompensation();
    }

    @Override
    public Step<Boolean> compensate() {
        return acquired == null ? super.compensate() : holds.releasing(acquired);
    }
}
