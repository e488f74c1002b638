package org.mongolocks;

import java.time.Duration;

/** Is warned that a lease is near its end. */
@FunctionalInterface
public interface EndangeredListener {
    /**
     * Learns that a lease will end soon unless it is renewed. It is called once each time that the lease comes near its
     * end, before the loss is told, on a thread of the client's listeners.
     *
     * @param lease the lease, with the end that is near
     * @param remaining how much of it was left when that was found out; zero if that was too late
     */
    void onEndangered(Lease lease, Duration remaining);
}
