package org.mongolocks.contract;

import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.flagupdate.FlagUpdateStrategy;

class FlagUpdateContractTest extends LockContract {
    @Override
    public LockStrategy strategy() {
        return new FlagUpdateStrategy();
    }
}
