package org.mongolocks.contract;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.mongolocks.LockName;

/** Gives the rules about guarded transactions their data. */
public interface GuardSetting extends FaultSetting {
    /** Makes the collection of the data, so that no transaction has to. */
    void prepareData();

    /**
     * Gives what was written under the guard of a lock.
     *
     * @param name what is locked
     * @return what was written
     */
    List<String> written(LockName name);

    /**
     * Tells when a client of {@link #newLocks()} next sends a command about a lock.
     *
     * @param name what is locked
     * @return a latch that counts down then
     */
    CountDownLatch nextSent(LockName name);

    /**
     * Makes a name, on a server that has transactions.
     *
     * @return the name of a lock that nothing was written under
     */
    default LockName guardedName() {
        assumeFalse(server().isStandalone(), "A standalone has no transactions");
        prepareData();
        return freshName();
    }
}
