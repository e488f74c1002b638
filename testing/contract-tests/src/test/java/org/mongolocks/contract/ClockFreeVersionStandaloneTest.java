package org.mongolocks.contract;

import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.optimisticversion.ClockFreeVersionStrategy;

class ClockFreeVersionStandaloneTest extends StandaloneContract {
    @Override
    public LockStrategy strategy() {
        return new ClockFreeVersionStrategy();
    }
}
