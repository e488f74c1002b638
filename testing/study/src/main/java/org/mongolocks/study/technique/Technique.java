package org.mongolocks.study.technique;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.mongolocks.spi.LockStrategy;

/**
 * A way to lock, with the settings of its users.
 *
 * @param strategies creates the strategy of a client from the wall clock of that client
 * @param config how it is used
 * @param mistake the mistake of its clients
 */
public record Technique(
        String name, Function<InstantSource, LockStrategy> strategies, TechniqueConfig config, ClientMistake mistake)
        implements Column {

    /** Creates a technique whose clients make no mistake. */
    public Technique(String name, Function<InstantSource, LockStrategy> strategies, TechniqueConfig config) {
        this(name, strategies, config, ClientMistake.NONE);
    }

    @Override
    public boolean hasTokens() {
        return config.isShipped();
    }

    @Override
    public Duration ttl() {
        return RealTechniques.TTL;
    }

    /**
     * How a technique is used: as in its article, or as the library does it.
     *
     * @param retryInterval the fixed wait between attempts; empty for the library's waiting
     * @param waitAtMost how long one acquisition waits
     * @param isShipped whether it runs with the clients of the library: with queues, change streams, retries, a timeout for
     *     each command, majority writes, and a holder that stops at the end of its lease
     * @param isKeptAlive whether the lease is renewed while the lock is held
     * @param hasLease whether a grant ends by itself
     * @param isOptimistic whether many may work at once, and the release writes only if no other has written since
     */
    public record TechniqueConfig(
            Optional<Duration> retryInterval,
            Duration waitAtMost,
            boolean isShipped,
            boolean isKeptAlive,
            boolean hasLease,
            boolean isOptimistic) {

        static TechniqueConfig shipped() {
            return new TechniqueConfig(Optional.empty(), Duration.ofSeconds(15), true, true, true, false);
        }

        static TechniqueConfig textbook(Duration retryInterval, Duration waitAtMost) {
            return new TechniqueConfig(Optional.of(retryInterval), waitAtMost, false, false, true, false);
        }

        TechniqueConfig keptAlive() {
            return new TechniqueConfig(retryInterval, waitAtMost, isShipped, true, hasLease, isOptimistic);
        }

        TechniqueConfig withoutLease() {
            return new TechniqueConfig(retryInterval, waitAtMost, isShipped, isKeptAlive, false, isOptimistic);
        }

        TechniqueConfig optimistic() {
            return new TechniqueConfig(retryInterval, waitAtMost, isShipped, isKeptAlive, false, true);
        }
    }
}
