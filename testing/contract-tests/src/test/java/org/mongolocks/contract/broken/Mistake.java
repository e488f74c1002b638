package org.mongolocks.contract.broken;

import org.mongolocks.LockClientBuilder;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.contract.setup.ProxyRoute;
import org.mongolocks.spi.LockStrategy;

/** A deliberate mistake of a strategy or a client, which some rule must detect. */
interface Mistake {
    /** Returns the strategy with this mistake. */
    default LockStrategy in(LockStrategy strategy) {
        return strategy;
    }

    /** Configures a client with this mistake. */
    default void in(LockClientBuilder<?> builder) {}

    /** Opens the route to the server on which this mistake is made. */
    default ProxyRoute detour(String uri, boolean retryWrites) {
        return ProxyRoute.to(uri, retryWrites);
    }

    /** Returns the client with this mistake. */
    default BlockingLocks in(BlockingLocks locks) {
        return locks;
    }
}
