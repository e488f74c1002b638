package org.mongolocks.contract;

import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.flagupdate.FlagUpdateStrategy;

@OnDrivers(Driver.REACTIVE)
public class FlagUpdateContractTest extends LockContract {
    @Override
    public LockStrategy strategy() {
        return new FlagUpdateStrategy();
    }
}
