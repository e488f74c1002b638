package org.mongolocks.contract;

import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.transactional.TransactionalStrategy;

class TransactionalContractTest extends LockContract {
    @Override
    public LockStrategy strategy() {
        return new TransactionalStrategy();
    }
}
