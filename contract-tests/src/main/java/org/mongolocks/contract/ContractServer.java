package org.mongolocks.contract;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.TimeSource;
import org.mongolocks.Timer;

/** Is the server that the contract runs on, with a way to let time pass. */
public interface ContractServer {
    /**
     * Says which server it is, with its version and topology.
     *
     * @return a phrase for people
     */
    String description();

    /**
     * Gives the connection string.
     *
     * @return the connection string
     */
    String uri();

    /**
     * Tells whether it is neither a replica set nor a sharded cluster.
     *
     * @return true for a standalone
     */
    boolean isStandalone();

    /**
     * Gives the time that the clients of the contract go by.
     *
     * @return a monotonic time that passes as the server's does
     */
    TimeSource time();

    /**
     * Gives a timer that runs by that time.
     *
     * @return the timer; empty where time passes by itself, and the clients' own timers will do
     */
    Optional<Timer> timer();

    /**
     * Gives a lease that is long against the commands of a test and short to let pass.
     *
     * @return the length
     */
    Duration ttl();

    /**
     * Gives a time limit for one command that is long for an answer and short against the lease: three commands without
     * an answer fit into it.
     *
     * @return the limit
     */
    Duration patience();

    /**
     * Lets time pass, for the server and for the clients: by moving the clock where that is possible, else by waiting.
     *
     * @param duration how much
     */
    void elapse(Duration duration);

    /**
     * Lets so much time pass that unused documents are cleaned up, where the clock can be moved.
     *
     * @param duration how much
     * @return false if the clock cannot be moved, and nothing was done
     */
    boolean cleanUpAfter(Duration duration);
}
