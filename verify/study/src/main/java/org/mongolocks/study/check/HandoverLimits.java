package org.mongolocks.study.check;

import java.time.Duration;
import java.util.Optional;

/**
 * The bounds that a row sets on time and errors. Safety is checked in every row; these bounds are checked only in rows
 * without a fault that excuses them.
 *
 * @param handOver the longest time in which a waiter gets a lock, from its release or from the request if that is later
 * @param lossNotice the longest time until a holder is notified that the server has discarded its lock
 * @param failuresExcused whether an acquisition may end with an error, because messages are lost or members fail
 * @param clientsRefused whether building a client must fail, because locks do not work in the collection
 */
public record HandoverLimits(
        Optional<Duration> handOver, Optional<Duration> lossNotice, boolean failuresExcused, boolean clientsRefused) {
    /** No bounds. */
    public static final HandoverLimits NONE = new HandoverLimits(Optional.empty(), Optional.empty(), true, false);

    /**
     * Returns these bounds with a limit on hand-overs.
     *
     * @param most the longest time from a release to the next grant, if a waiter has asked by then
     * @return the bounds
     */
    public HandoverLimits handOver(Duration most) {
        return new HandoverLimits(Optional.of(most), lossNotice, failuresExcused, clientsRefused);
    }

    /**
     * Returns these bounds with a limit on the notification of a loss.
     *
     * @param most the longest time from the loss of all locks on the server to the notification of their holders
     * @return the bounds
     */
    public HandoverLimits lossNotice(Duration most) {
        return new HandoverLimits(handOver, Optional.of(most), failuresExcused, clientsRefused);
    }

    /** Returns these bounds without errors: each acquisition is granted, or contended at its deadline. */
    public HandoverLimits withoutFailures() {
        return new HandoverLimits(handOver, lossNotice, false, clientsRefused);
    }

    /** Returns these bounds with the requirement that building a client fails. */
    public HandoverLimits refusal() {
        return new HandoverLimits(handOver, lossNotice, failuresExcused, true);
    }
}
