package org.mongolocks.internal.acquire;

import org.mongolocks.ClientSettings;
import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.wait.WaiterQueues;
import org.mongolocks.spi.LockStrategy.LockOutcome;

/** An acquisition whose caller registers the grant, such as one of several locks. */
public sealed class PartialAcquisition extends Acquisition<LockOutcome> permits OneStepAcquisition {
    PartialAcquisition(
            ClientSettings settings,
            LockRequest request,
            Owner owner,
            WaiterQueues queues,
            TimeBudget budget,
            long askedNanos) {
        super(settings, request, owner, queues, budget, askedNanos);
    }

    /**
     * Creates an acquisition. Its deadline counts from this call, not from {@link #start}.
     *
     * @param request the lock, the ttl and the wait
     * @param owner a fresh owner
     * @throws IllegalArgumentException if the ttl does not exceed the client's skew margin
     */
    public static PartialAcquisition of(
            ClientSettings settings, LockRequest request, Owner owner, WaiterQueues queues) {
        long now = settings.time().nanoTime();
        TimeBudget budget = TimeBudget.waitingAtMost(settings, request.waitAtMost(), now);
        return new PartialAcquisition(settings, request, owner, queues, budget, now);
    }

    @Override
    LockOutcome result(LockOutcome last) {
        return last;
    }
}
