package org.mongolocks.internal.hold;

import java.time.Duration;
import org.mongolocks.ClientSettings;

/**
 * The renewal schedule of one held lock: due when a third of the lease has passed, or a quarter if another lease is due
 * then, so that both are renewed together. Thread-safe; its monitor is never held while a hold calls listeners.
 */
class RenewalSchedule {
    private static final int RENEWALS_IN_A_LEASE = 3;
    private static final int EARLY_PARTS_OF_PERIOD = 4;
    /** A longer pause could take the time of the shortest try. */
    private static final int RETRIES_IN_A_PERIOD = 12;

    private final Hold hold;
    private final ClientSettings settings;
    private final long periodNanos;
    private boolean inFlight;
    private boolean separate;
    private int failures;
    private long sentNanos;
    private long retryAtNanos;
    private boolean isExpedited;
    private long expeditedDueNanos;

    RenewalSchedule(Hold hold, ClientSettings settings) {
        this.hold = hold;
        this.settings = settings;
        Duration ttl = hold.lease().ttl();
        this.periodNanos = ttl.minus(settings.holding().marginFor(ttl)).toNanos() / RENEWALS_IN_A_LEASE;
    }

    Hold hold() {
        return hold;
    }

    /**
     * Returns whether this lease is renewed in a command of its own, because a command for several gave no definite
     * result.
     */
    synchronized boolean isSeparate() {
        return separate;
    }

    /** Returns whether a renewal may be sent when it is due. */
    synchronized boolean isWaiting() {
        return !inFlight && !hold.gate.isClosed() && !hold.isOver();
    }

    /** The holder may have renewed the lease meanwhile, so the lease is read each time. */
    synchronized long dueNanos() {
        long usual = usesRetryTime()
                ? retryAtNanos
                : hold.lease().validUntilNanos() - (RENEWALS_IN_A_LEASE - 1) * periodNanos;
        return isExpedited && expeditedDueNanos - usual < 0 ? expeditedDueNanos : usual;
    }

    /** Returns how much before its due time it may be sent together with another that is due. */
    synchronized long earlyNanos() {
        return usesRetryTime() || isExpedited ? 0 : periodNanos / EARLY_PARTS_OF_PERIOD;
    }

    /**
     * Makes the renewal due at the given time, unless it is due earlier. If a renewal is in flight, another one is sent
     * after it.
     */
    synchronized void renewNoLaterThan(long dueNanos) {
        isExpedited = true;
        expeditedDueNanos = dueNanos;
    }

    private boolean usesRetryTime() {
        return separate || failures > 0;
    }

    /** Marks the renewal as in flight if it is due, none is in flight, and no guarded transaction is open. */
    boolean beginIfDue(long nowNanos) {
        boolean taken = markIfDue(nowNanos);
        if (taken) {
            hold.markRenewing();
        }
        return taken;
    }

    /** Returns the number of consecutive renewals without a reply. */
    synchronized int failures() {
        return failures;
    }

    /**
     * Records a result; the result of a renewal of several leases is the same for each, and so is the time of the next
     * one.
     */
    void recordResult(RenewalAttempt answer, long nowNanos, Duration backoff) {
        if (answer instanceof RenewalAttempt.Renewed renewed) {
            hold.markRenewed(RenewOperation.renewed(settings, hold.lease(), renewed.startedNanos()));
        } else if (answer instanceof RenewalAttempt.Lost lost) {
            hold.markLost(lost.reason());
        }
        plan(answer, nowNanos, backoff);
        hold.gate.leave();
    }

    private synchronized boolean markIfDue(long nowNanos) {
        boolean due = dueNanos() - earlyNanos() - nowNanos <= 0;
        boolean taken = due && !inFlight && hold.gate.enter();
        if (taken) {
            inFlight = true;
            isExpedited = false;
            sentNanos = nowNanos;
        }
        return taken;
    }

    private static long laterOf(long oneNanos, long otherNanos) {
        return oneNanos - otherNanos < 0 ? otherNanos : oneNanos;
    }

    /** After a failure the pause begins with the attempt: one that took long enough is followed by the next at once. */
    private synchronized void plan(RenewalAttempt answer, long nowNanos, Duration backoff) {
        inFlight = false;
        if (answer instanceof RenewalAttempt.Renewed) {
            separate = false;
            failures = 0;
        } else if (answer instanceof RenewalAttempt.Failed failed) {
            failures++;
            separate |= !failed.isTransportFault();
            retryAtNanos =
                    laterOf(nowNanos, sentNanos + Math.min(backoff.toNanos(), periodNanos / RETRIES_IN_A_PERIOD));
        } else {
            separate = true;
            retryAtNanos = nowNanos;
        }
    }
}
