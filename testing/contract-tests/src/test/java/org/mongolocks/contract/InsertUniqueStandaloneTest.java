package org.mongolocks.contract;

import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.insertunique.InsertUniqueStrategy;

class InsertUniqueStandaloneTest extends StandaloneContract {
    @Override
    public LockStrategy strategy() {
        return new InsertUniqueStrategy();
    }
}
