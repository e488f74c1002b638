package org.mongolocks.contract;

import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.insertunique.InsertUniqueStrategy;

@OnDrivers(Driver.SYNC)
class InsertUniqueContractTest extends LockContract {
    @Override
    public LockStrategy strategy() {
        return new InsertUniqueStrategy();
    }
}
