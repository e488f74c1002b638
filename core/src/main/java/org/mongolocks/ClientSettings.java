package org.mongolocks;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;
import org.mongolocks.spi.LockStrategy;

/**
 * Holds the settings of a client, whichever driver it uses. {@link LockClientBuilder} makes them.
 *
 * @param strategy the technique
 * @param collection the collection with the lock documents
 * @param commandTimeout the time limit of one command, its retries by the driver included
 * @param polling how long to wait before each next attempt while another holds the lock
 * @param faults how often to repeat after a fault, and how long to wait before
 * @param time the monotonic time of the client
 * @param instance the name of the client instance, the first part of each {@link Owner}
 * @param grants gives the second part of each {@link Owner}, never the same one twice
 * @param schema what to do about collections and indexes
 * @param holding what is for the time while a lock is held
 * @param tokens called when the tokens of a lock went back
 */
public record ClientSettings(
        LockStrategy strategy,
        String collection,
        Duration commandTimeout,
        IntervalFunction polling,
        Retry faults,
        TimeSource time,
        String instance,
        Supplier<UUID> grants,
        SchemaMode schema,
        HoldingSettings holding,
        TokenListener tokens) {

    /**
     * Makes the owner of one acquisition.
     *
     * @return a fresh owner
     */
    public Owner newOwner() {
        return new Owner(instance, grants.get());
    }
}
