package org.mongolocks.protocol;

import org.mongolocks.spi.LockStrategy;

class SoundStrategyLawsTest extends ProtocolLaws {
    @Override
    protected LockStrategy strategy() {
        return Sketch.sound();
    }
}
