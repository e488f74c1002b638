package org.mongolocks.strategy.optimisticversion;

import org.mongolocks.protocol.ProtocolLaws;
import org.mongolocks.spi.LockStrategy;

class OptimisticVersionLawsTest extends ProtocolLaws {
    @Override
    protected LockStrategy strategy() {
        return new OptimisticVersionStrategy();
    }

    @Override
    protected String revisionField() {
        return "version";
    }
}
