package org.mongolocks.contract;

import org.junit.jupiter.api.Tag;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.insertunique.InsertUniqueStrategy;

@Tag("slow")
class InsertUniqueStandaloneTest extends StandaloneContract {
    @Override
    public LockStrategy strategy() {
        return new InsertUniqueStrategy();
    }
}
