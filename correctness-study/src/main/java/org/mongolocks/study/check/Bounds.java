package org.mongolocks.study.check;

import java.time.Duration;
import java.util.Optional;

/**
 * The bounds that a row sets on time and errors. What must never happen is checked in every row; these are checked only
 * where nothing excuses them.
 *
 * @param handOver the longest time in which a waiter gets a lock, from its release or from the request if that is later
 * @param lossNotice the longest time in which a holder learns that the server has discarded its lock
 * @param failuresExcused whether an acquisition may end with an error, because messages are lost or members fail
 * @param clientsRefused whether no client may be built, because locks break in the collection
 */
public record Bounds(
        Optional<Duration> handOver, Optional<Duration> lossNotice, boolean failuresExcused, boolean clientsRefused) {
    /** Nothing is bounded. */
    public static final Bounds NONE = new Bounds(Optional.empty(), Optional.empty(), true, false);

    /**
     * Bounds a hand-over.
     *
     * @param most the longest time from a release to the next grant, if a waiter has asked by then
     * @return the bounds
     */
    public Bounds handOver(Duration most) {
        return new Bounds(Optional.of(most), lossNotice, failuresExcused, clientsRefused);
    }

    /**
     * Bounds the notice of a loss.
     *
     * @param most the longest time from the loss of all locks on the server to the notice in their holders
     * @return the bounds
     */
    public Bounds lossNotice(Duration most) {
        return new Bounds(handOver, Optional.of(most), failuresExcused, clientsRefused);
    }

    /** Allows no acquisition to end with an error: it is granted, or contended when its deadline has passed. */
    public Bounds withoutFailures() {
        return new Bounds(handOver, lossNotice, false, clientsRefused);
    }

    /** Allows no client to be built: the check when a client is built must refuse the collection. */
    public Bounds refusal() {
        return new Bounds(handOver, lossNotice, failuresExcused, true);
    }
}
