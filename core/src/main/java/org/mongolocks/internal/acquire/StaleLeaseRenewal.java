package org.mongolocks.internal.acquire;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.mongolocks.Lease;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.RenewOperation;
import org.mongolocks.internal.hold.RenewalAttempt;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.Step;

/**
 * The renewal of those of several leases of which more than a third has passed: together where the strategy supports
 * it.
 */
final class StaleLeaseRenewal {
    /** A lease is renewed if less than two thirds of it are left. */
    private static final int THIRDS = 3;

    private static final int MIN_THIRDS_LEFT = 2;

    private final ClientSettings settings;
    private final List<Hold> stale;
    private final TimeBudget budget;

    StaleLeaseRenewal(ClientSettings settings, List<Hold> holds, TimeBudget budget) {
        this.settings = settings;
        this.budget = budget;
        this.stale = holds.stream().filter(this::isStale).toList();
    }

    /** Returns a program that fails when the server gave no reply. A loss that it detects is reported by the hold. */
    Step<Boolean> start() {
        if (stale.size() < 2) {
            return renewEach(stale.iterator());
        }
        stale.forEach(Hold::markRenewing);
        List<Lease> leases = stale.stream().map(Hold::lease).toList();
        return RenewalAttempt.toSeveral(settings, leases).andThen(this::answered);
    }

    private Step<Boolean> answered(RenewalAttempt attempt) {
        if (attempt instanceof RenewalAttempt.Renewed renewed) {
            stale.forEach(hold -> hold.markRenewed(renewed.startedNanos()
                    + RenewOperation.heldFor(settings, hold.lease().ttl()).toNanos()));
            return Step.done(true);
        }
        return renewEach(stale.iterator());
    }

    private Step<Boolean> renewEach(Iterator<Hold> remaining) {
        if (!remaining.hasNext()) {
            return Step.done(true);
        }
        Hold hold = remaining.next();
        return new RenewOperation(settings, hold, hold.lease().ttl())
                .within(budget.retryTime())
                .start()
                .andThen(renewed -> renewEach(remaining));
    }

    private boolean isStale(Hold hold) {
        Duration ttl = hold.lease().ttl();
        Duration whole = RenewOperation.heldFor(settings, ttl);
        return hold.remaining().compareTo(whole.multipliedBy(MIN_THIRDS_LEFT).dividedBy(THIRDS)) < 0;
    }
}
