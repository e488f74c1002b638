package org.mongolocks.internal.acquire;

import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.WaiterQueues;
import org.mongolocks.spi.LockStrategy.LockOutcome;

/** An acquisition that ends with the grant, which its caller registers: of one of several locks, for example. */
public sealed class GrantAcquisition extends Acquisition<LockOutcome> permits OneStepAcquisition {
    GrantAcquisition(
            ClientSettings settings,
            LockRequest request,
            Owner owner,
            WaiterQueues queues,
            TimeBudget budget,
            long askedNanos) {
        super(settings, request, owner, queues, budget, askedNanos);
    }

    @Override
    LockOutcome result(LockOutcome last) {
        return last;
    }
}
