package org.mongolocks.protocol;

import org.mongolocks.spi.LockStrategy;

class AcquireStubLawsTest extends ProtocolLaws {
    @Override
    protected LockStrategy strategy() {
        return AcquireStub.correct();
    }
}
