package org.mongolocks.contract;

import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

class FindAndModifyCounterContractTest extends LockContract {
    @Override
    public LockStrategy strategy() {
        return new FindAndModifyCounterStrategy();
    }
}
