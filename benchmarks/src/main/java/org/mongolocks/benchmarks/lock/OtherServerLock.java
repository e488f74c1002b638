package org.mongolocks.benchmarks.lock;

import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.reporting.server.UnusableInputException;

/** The lock of another library on a server that is not a MongoDB. */
interface OtherServerLock extends LockImplementation {
    /**
     * Returns this library as an entry of the results, after a question to its server.
     *
     * @throws UnusableInputException if the server answers, but refuses what the lock needs
     * @throws RuntimeException if the server does not answer
     */
    LockUnderTest entry() throws InterruptedException;
}
