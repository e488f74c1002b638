package org.mongolocks.benchmarks.rival;

import java.util.OptionalLong;
import org.mongolocks.benchmarks.result.Client;

/** Is a lock that is measured beside others: a strategy through one of the two clients, a floor, or another library. */
public interface Rival extends AutoCloseable {
    /** Gives the id of the contender. */
    String id();

    /** Tells through which client it is measured; other libraries count as synchronous. */
    default Client client() {
        return Client.SYNC;
    }

    /** Opens what a process of its own would open. Who opened it closes it. */
    Party open() throws InterruptedException;

    /** Tells how one waits for it. */
    Waiting waiting();

    /** Counts the commands that all its clients have sent to MongoDB until now; nothing if it sends none. */
    default OptionalLong commands() {
        return OptionalLong.empty();
    }

    @Override
    void close();
}
