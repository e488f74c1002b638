package org.mongolocks.contract;

import java.util.List;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.transactional.TransactionalStrategy;

@OnDrivers(Driver.REACTIVE)
public class TransactionalContractTest extends LockContract {
    @Override
    public LockStrategy strategy() {
        return new TransactionalStrategy();
    }

    @Override
    public List<String> actionsOnLocks() {
        return List.of("find", "insert", "update", "remove", "changeStream");
    }
}
