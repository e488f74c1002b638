package org.mongolocks.contract;

import org.junit.jupiter.api.Tag;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.optimisticversion.OptimisticVersionStrategy;

@Tag("slow")
class OptimisticVersionStandaloneTest extends StandaloneContract {
    @Override
    public LockStrategy strategy() {
        return new OptimisticVersionStrategy();
    }
}
