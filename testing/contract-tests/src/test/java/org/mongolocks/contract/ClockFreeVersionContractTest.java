package org.mongolocks.contract;

import org.junit.jupiter.api.Tag;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.optimisticversion.ClockFreeVersionStrategy;

@Tag("slow")
class ClockFreeVersionContractTest extends LockContract {
    @Override
    public LockStrategy strategy() {
        return new ClockFreeVersionStrategy();
    }
}
