package org.mongolocks.contract;

import java.time.Duration;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** The contract, on a strategy and a client with a mistake; run by {@link Sensitivity} only. */
class MutatedContract extends LockContract {
    static volatile Mistake mistake = Mutation.DOES_NOT_COUNT;

    @Override
    public ContractServer server() {
        return ServerFinder.embedded();
    }

    /** Short: waiting for an event that never comes takes a part of a lease. */
    @Override
    public Duration ttl() {
        return Duration.ofSeconds(4);
    }

    @Override
    public LockStrategy strategy() {
        return mistake.in(new FindAndModifyCounterStrategy());
    }

    @Override
    ProxyRoute detour(boolean retryWrites) {
        return mistake.detour(server().uri(), retryWrites);
    }

    @Override
    BlockingLocks build(DriverClients connection, Driver.Setup setup) throws InterruptedException {
        return mistake.in(super.build(connection, builder -> {
            setup.accept(builder);
            mistake.in(builder);
        }));
    }
}
