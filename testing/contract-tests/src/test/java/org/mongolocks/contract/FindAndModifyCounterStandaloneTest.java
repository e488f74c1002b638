package org.mongolocks.contract;

import org.junit.jupiter.api.Tag;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

@Tag("slow")
class FindAndModifyCounterStandaloneTest extends StandaloneContract {
    @Override
    public LockStrategy strategy() {
        return new FindAndModifyCounterStrategy();
    }
}
