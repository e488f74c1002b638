package org.mongolocks.contract.rules;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.mongolocks.LockName;

/** The context of rules about guarded transactions: their data. */
public interface GuardedTransactionContext extends FaultContext {
    /** Creates the collection of the data, so that no transaction has to. */
    void prepareData();

    /**
     * Returns the data that was written in guarded transactions of a lock.
     *
     * @param name the name of the lock
     * @return what was written
     */
    List<String> written(LockName name);

    /**
     * Returns a latch that counts down when a client of {@link #newLocks()} next sends a command about a lock.
     *
     * @param name the name of the lock
     * @return the latch
     */
    CountDownLatch nextSent(LockName name);

    /**
     * Returns a fresh name, or skips the test on a server without transactions.
     *
     * @return the name of a lock without guarded data
     */
    default LockName guardedName() {
        assumeFalse(server().isStandalone(), "A standalone has no transactions");
        prepareData();
        return freshName();
    }
}
