package org.mongolocks;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;
import org.mongolocks.spi.LockStrategy;

/**
 * The settings of one client, the same for both drivers. {@link LockClientBuilder} creates them. Immutable.
 *
 * @param strategy the lock strategy
 * @param collection the collection that holds the lock documents, without its database
 * @param commandTimeout the time limit of one command, the driver's own retries included
 * @param polling the wait before each next attempt while another owner holds the lock
 * @param faults how often to retry after a fault, and how long to wait before each retry
 * @param time the monotonic time of the client
 * @param instance the name of the client instance, the first part of each {@link Owner}
 * @param grants the source of the second part of each {@link Owner}; it never returns the same value twice
 * @param schema what the client does about collections and indexes when it is built
 * @param holding the settings that apply while a lock is held
 * @param tokens the listener that is called when the fencing tokens of a lock went back
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
        LeaseSettings holding,
        TokenListener tokens) {

    /**
     * Creates the owner of one acquisition.
     *
     * @return a fresh owner
     */
    public Owner newOwner() {
        return new Owner(instance, grants.get());
    }
}
