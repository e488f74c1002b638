package org.mongolocks.internal.acquire;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.mongolocks.ClientSettings;
import org.mongolocks.Lease;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.RenewOperation;
import org.mongolocks.internal.hold.RenewalAttempt;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.spi.Step;

/**
 * The renewal of those of several leases of which more than a third has passed: together where the strategy supports
 * it.
 */
final class StaleLeaseRenewal {
    private static final int PARTS = 3;
    private static final int MIN_PARTS_LEFT = 2;

    private final ClientSettings settings;
    private final List<Hold> stale;
    private final TimeBudget limit;

    StaleLeaseRenewal(ClientSettings settings, List<Hold> holds, TimeBudget limit) {
        this.settings = settings;
        this.limit = limit;
        this.stale = holds.stream().filter(this::isStale).toList();
    }

    /** Returns a program that fails when the server gave no reply. A loss that it detects is reported by the hold. */
    Step<Boolean> start() {
        if (stale.size() < 2) {
            return each(stale.iterator());
        }
        stale.forEach(Hold::markRenewing);
        List<Lease> leases = stale.stream().map(Hold::lease).toList();
        return RenewalAttempt.toSeveral(settings, leases).andThen(this::answered);
    }

    private Step<Boolean> answered(RenewalAttempt answer) {
        if (answer instanceof RenewalAttempt.Renewed renewed) {
            stale.forEach(
                    hold -> hold.markRenewed(RenewOperation.renewed(settings, hold.lease(), renewed.startedNanos())));
            return Step.done(true);
        }
        return each(stale.iterator());
    }

    private Step<Boolean> each(Iterator<Hold> rest) {
        if (!rest.hasNext()) {
            return Step.done(true);
        }
        Hold hold = rest.next();
        hold.markRenewing();
        return new RenewOperation(settings, hold.lease())
                .within(limit.retryTime())
                .start()
                .andThen(result -> {
                    result.noteIn(hold);
                    return each(rest);
                });
    }

    private boolean isStale(Hold hold) {
        Duration ttl = hold.lease().ttl();
        Duration whole = ttl.minus(settings.holding().marginFor(ttl));
        return hold.remaining().compareTo(whole.multipliedBy(MIN_PARTS_LEFT).dividedBy(PARTS)) < 0;
    }
}
