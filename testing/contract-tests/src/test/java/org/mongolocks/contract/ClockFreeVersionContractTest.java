package org.mongolocks.contract;

import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.optimisticversion.ClockFreeVersionStrategy;

class ClockFreeVersionContractTest extends LockContract {
    @Override
    public LockStrategy strategy() {
        return new ClockFreeVersionStrategy();
    }
}
