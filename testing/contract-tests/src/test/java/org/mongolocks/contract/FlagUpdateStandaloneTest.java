package org.mongolocks.contract;

import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.flagupdate.FlagUpdateStrategy;

class FlagUpdateStandaloneTest extends StandaloneContract {
    @Override
    public LockStrategy strategy() {
        return new FlagUpdateStrategy();
    }
}
