package org.mongolocks.internal.acquire;

import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.WaiterQueues;

/** Acquisitions of one lock each, whose deadline counts from their creation. */
public final class GrantAcquisitions {
    private GrantAcquisitions() {}

    public static GrantAcquisition of(ClientSettings settings, LockRequest request, Owner owner, WaiterQueues queues) {
        long now = settings.time().nanoTime();
        TimeBudget budget = TimeBudget.waitingAtMost(settings, request.waitAtMost(), now);
        return new GrantAcquisition(settings, request, owner, queues, budget, now);
    }
}
