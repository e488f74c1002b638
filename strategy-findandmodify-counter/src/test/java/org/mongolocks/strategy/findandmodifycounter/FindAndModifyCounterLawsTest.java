package org.mongolocks.strategy.findandmodifycounter;

import org.mongolocks.protocol.ProtocolLaws;
import org.mongolocks.spi.LockStrategy;

class FindAndModifyCounterLawsTest extends ProtocolLaws {
    @Override
    protected LockStrategy strategy() {
        return new FindAndModifyCounterStrategy();
    }
}
