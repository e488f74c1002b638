package org.mongolocks.spi;

import org.mongolocks.LossReason;

/** The result of a renewal, when the server gave a definite reply. */
public sealed interface Renewal {

    /** The lease was extended: it lasts a whole ttl, counted from before the renewal was sent. */
    record Renewed() implements Renewal {}

    /**
     * The lock is no longer held.
     *
     * @param reason why it was lost
     */
    record Lost(LossReason reason) implements Renewal {}
}
