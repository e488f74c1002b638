package org.mongolocks.contract.broken;

import java.time.Duration;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** The contract, on a strategy and a client with a mistake; run by {@link Sensitivity} only. */
class MutatedContract extends LockContract {
    static volatile Mistake mistake = new Mistake() {};

    /** Short: waiting for an event that never comes takes a part of a lease. */
    static final Duration SHORT = Duration.ofSeconds(4);

    static volatile Duration ttl = SHORT;

    @Override
    public ContractServer server() {
        return ServerFinder.embedded();
    }

    @Override
    public Duration ttl() {
        return ttl;
    }

    @Override
    public LockStrategy strategy() {
        return mistake.in(new FindAndModifyCounterStrategy());
    }

    @Override
    protected ProxyRoute detour(boolean retryWrites) {
        return mistake.detour(server().uri(), retryWrites);
    }

    @Override
    protected BlockingLocks build(DriverClients connection, Driver.Setup setup) throws InterruptedException {
        return mistake.in(super.build(connection, builder -> {
            setup.accept(builder);
            mistake.in(builder);
        }));
    }
}
