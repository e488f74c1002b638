package org.mongolocks.contract;

import org.junit.jupiter.api.Tag;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.flagupdate.FlagUpdateStrategy;

@Tag("slow")
class FlagUpdateStandaloneTest extends StandaloneContract {
    @Override
    public LockStrategy strategy() {
        return new FlagUpdateStrategy();
    }
}
