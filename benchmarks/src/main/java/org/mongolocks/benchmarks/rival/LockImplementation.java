package org.mongolocks.benchmarks.rival;

import java.util.OptionalLong;
import org.mongolocks.benchmarks.result.Client;

/** A lock under test: a strategy with one of the two clients, a baseline, or another library. */
public interface LockImplementation extends AutoCloseable {
    /** Returns the id of the contender. */
    String id();

    /** Returns the client; other libraries count as synchronous. */
    default Client client() {
        return Client.SYNC;
    }

    /** Opens a participant, with the resources of a separate process. The caller closes it. */
    BenchmarkParticipant open() throws InterruptedException;

    /** Returns how a request waits for the lock. */
    WaitMode waiting();

    /**
     * Returns the number of commands sent to MongoDB by all its participants so far; empty if it does not use this
     * MongoDB.
     */
    default OptionalLong commands() {
        return OptionalLong.empty();
    }

    @Override
    void close();
}
