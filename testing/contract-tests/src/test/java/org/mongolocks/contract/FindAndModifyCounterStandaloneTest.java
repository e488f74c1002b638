package org.mongolocks.contract;

import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

class FindAndModifyCounterStandaloneTest extends StandaloneContract {
    @Override
    public LockStrategy strategy() {
        return new FindAndModifyCounterStrategy();
    }
}
