package org.mongolocks.contract;

import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** Is the contract of a strategy with a mistake; run by {@link ContractSensitivityTest} alone. */
class MutatedContract extends LockContract {
    static volatile Mutation mutation = Mutation.DOES_NOT_COUNT;

    @Override
    public ContractServer server() {
        return ServerFinder.embedded();
    }

    @Override
    public LockStrategy strategy() {
        return new MutatedStrategy(new FindAndModifyCounterStrategy(), mutation::applyTo);
    }
}
