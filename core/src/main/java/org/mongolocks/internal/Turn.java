package org.mongolocks.internal;

import java.time.Duration;
import org.mongolocks.ClientSettings;
import org.mongolocks.Lease;

/**
 * Says when the lease of one held lock is to be renewed: when a third of it has passed, or a quarter if another is due
 * then, so that both go together. Not thread-safe.
 */
final class Turn {
    private static final int RENEWALS_IN_A_LEASE = 3;
    private static final int EARLY = 4;

    private final Hold hold;
    private final ClientSettings settings;
    private final long periodNanos;
    private boolean asking;
    private boolean alone;
    private int failures;
    private long againNanos;

    Turn(Hold hold, ClientSettings settings) {
        this.hold = hold;
        this.settings = settings;
        Duration ttl = hold.lease().ttl();
        this.periodNanos = ttl.minus(settings.holding().marginFor(ttl)).toNanos() / RENEWALS_IN_A_LEASE;
    }

    Hold hold() {
        return hold;
    }

    /** Tells whether it is asked for by itself, since asking for several did not tell. */
    boolean isAlone() {
        return alone;
    }

    boolean isAsking() {
        return asking;
    }

    /** The lease may have been renewed by its holder meanwhile, so it is looked at each time. */
    long dueNanos() {
        boolean again = alone || failures > 0;
        return again ? againNanos : hold.lease().validUntilNanos() - (RENEWALS_IN_A_LEASE - 1) * periodNanos;
    }

    boolean isDue(long nowNanos) {
        boolean again = alone || failures > 0;
        return !asking && dueNanos() - (again ? 0 : periodNanos / EARLY) - nowNanos <= 0;
    }

    void asks() {
        asking = true;
        hold.renewing();
    }

    /** Counts how often in a row there was no answer. */
    int failures() {
        return failures;
    }

    /** Takes an answer; the one to a question for several is the same for each, and so is when to ask again. */
    void answered(Answer answer, long nowNanos, Duration backoff) {
        asking = false;
        if (answer instanceof Answer.Renewed renewed) {
            settle();
            Lease lease = hold.lease();
            hold.extended(Renewing.renewed(settings, lease, renewed.startedNanos()));
        } else if (answer instanceof Answer.Lost lost) {
            hold.lost(lost.reason());
        } else if (answer instanceof Answer.Failed failed) {
            failures++;
            alone |= !failed.isAboutTheWay();
            againNanos = nowNanos + Math.min(backoff.toNanos(), periodNanos);
        } else {
            alone = true;
            againNanos = nowNanos;
        }
    }

    private void settle() {
        alone = false;
        failures = 0;
    }
}
