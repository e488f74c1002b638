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

    /** Makes the client with this mistake. */
    default BlockingLocks in(BlockingLocks locks) {
        return locks;
    }
}
