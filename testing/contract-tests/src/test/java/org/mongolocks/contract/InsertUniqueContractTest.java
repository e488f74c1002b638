package org.mongolocks.contract;

import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.insertunique.InsertUniqueStrategy;

class InsertUniqueContractTest extends LockContract {
    @Override
    public LockStrategy strategy() {
        return new InsertUniqueStrategy();
    }
}
