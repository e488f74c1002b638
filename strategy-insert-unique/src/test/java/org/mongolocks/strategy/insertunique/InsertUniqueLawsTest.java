package org.mongolocks.strategy.insertunique;

import org.mongolocks.protocol.ProtocolLaws;
import org.mongolocks.spi.LockStrategy;

class InsertUniqueLawsTest extends ProtocolLaws {
    @Override
    protected LockStrategy strategy() {
        return new InsertUniqueStrategy();
    }
}
