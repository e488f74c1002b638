package org.mongolocks.spi;

import java.util.List;
import org.mongolocks.Lease;
import org.mongolocks.LockSnapshot;

/** The result of an attempt to acquire several locks in one step: all of them, or none. */
public sealed interface MultiLockOutcome {

    /**
     * The owner that asked holds all the locks.
     *
     * @param leases the grants, in the order of the request
     */
    record Acquired(List<Lease> leases) implements MultiLockOutcome {
        /**
         * Copies the grants.
         *
         * @param leases the grants
         */
        public Acquired {
            leases = List.copyOf(leases);
        }
    }

    /**
     * Another owner holds one of the locks, and the owner that asked holds none.
     *
     * @param holder the first lock that is held, as the server showed it; its name identifies the lock
     */
    record Contended(LockSnapshot holder) implements MultiLockOutcome {}
}
