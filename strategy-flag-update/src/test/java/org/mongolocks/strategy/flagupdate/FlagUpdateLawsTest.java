package org.mongolocks.strategy.flagupdate;

import org.mongolocks.protocol.ProtocolLaws;
import org.mongolocks.spi.LockStrategy;

class FlagUpdateLawsTest extends ProtocolLaws {
    @Override
    protected LockStrategy strategy() {
        return new FlagUpdateStrategy();
    }
}
