package org.mongolocks;

import java.time.Duration;

/** A listener that is called before a lease expires. */
@FunctionalInterface
public interface LockEndangeredListener {
    /**
     * Handles a lease that will end soon unless it is renewed. Called once each time the lease comes near its end,
     * before any loss is reported, on a listener thread of the client.
     *
     * @param lease the lease that is about to expire
     * @param remaining how much of the lease was left when this was detected; zero if it had already ended
     */
    void onEndangered(Lease lease, Duration remaining);
}
