package org.mongolocks.contract;

import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.optimisticversion.OptimisticVersionStrategy;

class OptimisticVersionStandaloneTest extends StandaloneContract {
    @Override
    public LockStrategy strategy() {
        return new OptimisticVersionStrategy();
    }
}
