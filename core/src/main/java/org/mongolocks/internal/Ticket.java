package org.mongolocks.internal;

import java.time.Duration;
import org.mongolocks.Owner;

/**
 * Is what one acquisition has in the queue of its lock.
 *
 * @param owner whose it is
 * @param ttl how long it lasts unless it is renewed
 */
record Ticket(Owner owner, Duration ttl) {
    /** With a third, two more tries fit into a ticket that is not renewed at the first. */
    private static final int RENEWALS_PER_TICKET = 3;

    long renewedAfterNanos() {
        return ttl.dividedBy(RENEWALS_PER_TICKET).toNanos();
    }
}
