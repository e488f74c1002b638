package org.mongolocks.spi;

import java.util.List;
import org.mongolocks.Lease;
import org.mongolocks.LockSnapshot;

/** Tells how an attempt to acquire several locks in one step ended: with all of them, or with none. */
public sealed interface SetOutcome {

    /**
     * All the locks are held by the one who asks.
     *
     * @param leases the grants, in the order in which they were asked for
     */
    record Acquired(List<Lease> leases) implements SetOutcome {
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
     * Somebody else holds one of the locks, and the one who asks holds none.
     *
     * @param holder what the server said about the first that is held; its name tells which
     */
    record Contended(LockSnapshot holder) implements SetOutcome {}
}
