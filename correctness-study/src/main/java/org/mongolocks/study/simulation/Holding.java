package org.mongolocks.study.simulation;

import org.mongolocks.internal.Hold;

/**
 * Is a lock that a worker has.
 *
 * @param grant which acquisition of the run
 * @param hold its state in the client
 * @param token the token that it tells others
 * @param commit where the server's order has the grant
 */
record Holding(int grant, Hold hold, long token, long commit) {
    /** Tells which lock it is. */
    int lock() {
        return Locks.number(hold.lease().name());
    }

    Resources.User user(int process) {
        return new Resources.User(process, grant, token, commit);
    }
}
