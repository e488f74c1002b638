package org.mongolocks.contract;

import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.optimisticversion.OptimisticVersionStrategy;

@OnDrivers(Driver.SYNC)
class OptimisticVersionContractTest extends LockContract {
    @Override
    public LockStrategy strategy() {
        return new OptimisticVersionStrategy();
    }
}
