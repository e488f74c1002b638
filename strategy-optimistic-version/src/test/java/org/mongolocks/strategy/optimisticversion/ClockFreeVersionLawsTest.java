package org.mongolocks.strategy.optimisticversion;

import org.mongolocks.protocol.ProtocolLaws;
import org.mongolocks.spi.LockStrategy;

class ClockFreeVersionLawsTest extends ProtocolLaws {
    @Override
    protected LockStrategy strategy() {
        return new ClockFreeVersionStrategy();
    }

    @Override
    protected String revisionField() {
        return "version";
    }
}
