package org.mongolocks.internal.hold;

import java.time.Duration;
import org.mongolocks.ClientSettings;

/**
 * The renewal schedule of one held lock: due when a third of the lease has passed, or a quarter if another lease is due
 * then, so that both are renewed together. Thread-safe; its monitor is never held while a hold calls listeners.
 */
final class RenewalSchedule {
    private static final int RENEWALS_IN_A_LEASE = 3;
    private static final int EARLY = 4;

    private final Hold hold;
    private final ClientSettings settings;
    private final long periodNanos;
    private boolean asking;
    private boolean alone;
    private int failures;
    private long againNanos;
    private boolean hurries;
    private long hurryNanos;

    RenewalSchedule(Hold hold, ClientSettings settings) {
        this.hold = hold;
        this.settings = settings;
        Duration ttl = hold.lease().ttl();
        this.periodNanos = ttl.minus(settings.holding().marginFor(ttl)).toNanos() / RENEWALS_IN_A_LEASE;
    }

    Hold hold() {
        return hold;
    }

    /** Returns whether it is renewed by itself, because a renewal of several gave no definite result. */
    synchronized boolean isAlone() {
        return alone;
    }

    /** Returns whether it may be taken when it is due. */
    synchronized boolean isWaiting() {
        return !asking && !hold.gate.isClosed();
    }

    /** The holder may have renewed the lease meanwhile, so the lease is read each time. */
    synchronized long dueNanos() {
        long usual = hasAgain() ? againNanos : hold.lease().validUntilNanos() - (RENEWALS_IN_A_LEASE - 1) * periodNanos;
        return hurries && hurryNanos - usual < 0 ? hurryNanos : usual;
    }

    /** Makes it due at a time, unless it is due before; if a renewal is in flight, another one follows. */
    synchronized void hurry(long dueNanos) {
        hurries = true;
        hurryNanos = dueNanos;
    }

    private boolean hasAgain() {
        return alone || failures > 0;
    }

    /** Takes the schedule if it is due and not taken. */
    boolean take(long nowNanos) {
        boolean taken = takeIfDue(nowNanos);
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
    void answered(RenewalAttempt answer, long nowNanos, Duration backoff) {
        if (answer instanceof RenewalAttempt.Renewed renewed) {
            hold.markRenewed(RenewOperation.renewed(settings, hold.lease(), renewed.startedNanos()));
        } else if (answer instanceof RenewalAttempt.Lost lost) {
            hold.markLost(lost.reason());
        }
        plan(answer, nowNanos, backoff);
        hold.gate.leave();
    }

    private synchronized boolean takeIfDue(long nowNanos) {
        boolean due = dueNanos() - (hasAgain() || hurries ? 0 : periodNanos / EARLY) - nowNanos <= 0;
        boolean taken = due && !asking && hold.gate.enter();
        asking |= taken;
        hurries &= !taken;
        return taken;
    }

    private synchronized void plan(RenewalAttempt answer, long nowNanos, Duration backoff) {
        asking = false;
        if (answer instanceof RenewalAttempt.Renewed) {
            alone = false;
            failures = 0;
        } else if (answer instanceof RenewalAttempt.Failed failed) {
            failures++;
            alone |= !failed.isAboutTheWay();
            againNanos = nowNanos + Math.min(backoff.toNanos(), periodNanos);
        } else {
            alone = true;
            againNanos = nowNanos;
        }
    }
}
