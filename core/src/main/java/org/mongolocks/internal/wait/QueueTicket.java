package org.mongolocks.internal.wait;

import java.time.Duration;
import org.mongolocks.Owner;

/**
 * The ticket of one acquisition in the queue of its lock.
 *
 * @param owner the owner of the ticket
 * @param ttl how long it lasts unless it is renewed
 */
record QueueTicket(Owner owner, Duration ttl) {
    /** With a third, two retries fit into a ticket whose first renewal fails. */
    private static final int RENEWALS_PER_TICKET = 3;

    long renewedAfterNanos() {
        return ttl.dividedBy(RENEWALS_PER_TICKET).toNanos();
    }
}
