package org.mongolocks.spi;

import org.mongolocks.LossReason;

/** Tells how a renewal ended, when the server gave a definite answer. */
public sealed interface Renewal {

    /** The lease is longer now: a whole ttl, counted from before the renewal was sent. */
    record Renewed() implements Renewal {}

    /**
     * The lock is not held any more.
     *
     * @param reason why
     */
    record Lost(LossReason reason) implements Renewal {}
}
