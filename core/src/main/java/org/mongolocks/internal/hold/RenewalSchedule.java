package org.mongolocks.internal.hold;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.run.DeadlineQueue;
import org.mongolocks.internal.settings.ClientSettings;

/**
 * The renewal schedule of one held lock: due when a third of the lease has passed, or a quarter if another lease is due
 * then, so that both are renewed together. Thread-safe; its monitor is never held while a hold calls listeners.
 */
class RenewalSchedule extends DeadlineQueue.Entry {
    private static final int RENEWALS_IN_A_LEASE = 3;
    private static final int EARLY_PARTS_OF_PERIOD = 4;
    /** Before the first part of the lease has passed, it is not renewed early either. */
    static final int PARTS_BEFORE_RENEWAL = 4;
    /** A longer pause could take the time of the shortest try. */
    private static final int RETRIES_IN_A_PERIOD = 12;

    /** What keeps the lock alive by this; guarded by its monitor. */
    volatile @Nullable KeepAlive keeper;

    private final Hold hold;
    /** The ttl, less the skew margin. */
    private final long leaseNanos;

    private final long periodNanos;
    private boolean inFlight;
    private int maxTogether = HoldRegistry.MAX_TOGETHER;
    private int failures;
    private long failingSinceNanos;
    private long sentNanos;
    private long retryAtNanos;
    private boolean isExpedited;
    private long expeditedDueNanos;

    RenewalSchedule(Hold hold, ClientSettings settings) {
        this.hold = hold;
        this.leaseNanos = RenewOperation.heldFor(settings, hold.lease().ttl()).toNanos();
        this.periodNanos = leaseNanos / RENEWALS_IN_A_LEASE;
    }

    @Override
    protected void onDue() {
        KeepAlive known = keeper;
        if (known != null) {
            known.onDue(this);
        }
    }

    Hold hold() {
        return hold;
    }

    /**
     * Returns how many leases its command may renew: fewer after a command that got no reply in time, and only this one
     * after a command for several that gave no definite result.
     */
    synchronized int maxTogether() {
        return maxTogether;
    }

    /** Returns when the first of the consecutive renewals without a reply began. */
    synchronized long failingSinceNanos() {
        return failingSinceNanos;
    }

    /** Returns whether a renewal may be sent when it is due. */
    synchronized boolean isWaiting() {
        return !inFlight && !hold.gate().isClosed() && !hold.isOver();
    }

    /** The holder may have renewed the lease meanwhile, so the lease is read each time. */
    synchronized long dueNanos() {
        long usual = isRetry() ? retryAtNanos : hold.validUntilNanos() - (RENEWALS_IN_A_LEASE - 1) * periodNanos;
        return isExpedited && expeditedDueNanos - usual < 0 ? expeditedDueNanos : usual;
    }

    /** Returns how much before its due time it may be sent together with another that is due. */
    synchronized long earlyNanos() {
        return isRetry() || isExpedited ? 0 : periodNanos / EARLY_PARTS_OF_PERIOD;
    }

    /**
     * Makes the renewal due at the given time, unless it is due earlier. If a renewal is in flight, another one is sent
     * after it.
     */
    synchronized void renewNoLaterThan(long dueNanos) {
        isExpedited = true;
        expeditedDueNanos = dueNanos;
    }

    /** Returns whether the last renewal gave no definite result. */
    synchronized boolean isRetry() {
        return failures > 0 || maxTogether < HoldRegistry.MAX_TOGETHER;
    }

    /** Marks the renewal as in flight if it is due, none is in flight, and no guarded transaction is open. */
    synchronized boolean beginIfDue(long nowNanos) {
        boolean due = dueNanos() - earlyNanos() - nowNanos <= 0;
        boolean taken = due && !inFlight && hold.gate().enter();
        if (taken) {
            inFlight = true;
            isExpedited = false;
            sentNanos = nowNanos;
        }
        return taken;
    }

    /** Returns the number of consecutive renewals without a reply. */
    synchronized int failures() {
        return failures;
    }

    /**
     * Records a result; the result of a renewal of several leases is the same for each, and so is the time of the next
     * one, which renews at most that many together.
     */
    void recordResult(RenewalAttempt answer, int together, long nowNanos, Duration backoff) {
        try {
            record(answer);
        } finally {
            plan(answer, together, nowNanos, backoff);
            hold.gate().leave();
        }
    }

    private void record(RenewalAttempt answer) {
        if (answer instanceof RenewalAttempt.Renewed renewed) {
            hold.markRenewed(renewed.startedNanos() + leaseNanos);
        } else if (answer instanceof RenewalAttempt.Lost lost) {
            hold.markLost(lost.reason());
        }
    }

    private static long laterOf(long oneNanos, long otherNanos) {
        return oneNanos - otherNanos < 0 ? otherNanos : oneNanos;
    }

    /** After a failure the pause begins with the attempt: one that took long enough is followed by the next at once. */
    private synchronized void plan(RenewalAttempt answer, int together, long nowNanos, Duration backoff) {
        inFlight = false;
        maxTogether = together;
        if (answer instanceof RenewalAttempt.Renewed) {
            failures = 0;
        } else if (answer instanceof RenewalAttempt.Failed) {
            failingSinceNanos = failures++ == 0 ? sentNanos : failingSinceNanos;
            retryAtNanos =
                    laterOf(nowNanos, sentNanos + Math.min(backoff.toNanos(), periodNanos / RETRIES_IN_A_PERIOD));
        } else {
            retryAtNanos = nowNanos;
        }
    }
}
