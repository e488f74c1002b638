package org.mongolocks.contract;

import org.mongolocks.LockClientBuilder;
import org.mongolocks.spi.LockStrategy;

/** Is something done wrong: by a strategy or by a client. */
interface Mistake {
    /** Makes the strategy with this mistake. */
    default LockStrategy in(LockStrategy strategy) {
        return strategy;
    }

    /** Sets up a client with this mistake. */
    default void in(LockClientBuilder<?> builder) {}

    /** Opens the way to the server on which this mistake is made. */
    default Detour detour(String uri, boolean retryWrites) {
        return Detour.to(uri, retryWrites);
    }

    /** Makes the client with this mistake. */
    default BlockingLocks in(BlockingLocks locks) {
        return locks;
    }
}
