package org.mongolocks.study.sim.workload;

import org.mongolocks.internal.hold.Hold;
import org.mongolocks.study.sim.server.ProtectedResources;

/**
 * A lock that a worker holds.
 *
 * @param grant the number of the acquisition in the run
 * @param hold its state in the client
 * @param token the token that it passes to others
 * @param commit the position of the grant in the server's order
 */
public record WorkerLock(int grant, Hold hold, long token, long commit) {
    /** Returns the number of the lock. */
    public int lock() {
        return Locks.number(hold.lease().name());
    }

    ProtectedResources.User user(int process) {
        return new ProtectedResources.User(process, grant, token, commit);
    }
}
