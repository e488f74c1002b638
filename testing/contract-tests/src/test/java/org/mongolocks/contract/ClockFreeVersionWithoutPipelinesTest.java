package org.mongolocks.contract;

import org.junit.jupiter.api.Tag;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.optimisticversion.ClockFreeVersionStrategy;

/** The contract on a server without update pipelines, which the strategy does not need. */
@Tag("slow")
class ClockFreeVersionWithoutPipelinesTest extends LockContract {
    @Override
    public LockStrategy strategy() {
        return new ClockFreeVersionStrategy();
    }

    @Override
    public ContractServer server() {
        return ServerFinder.withoutUpdatePipelines();
    }
}
