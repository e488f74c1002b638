package org.mongolocks.contract;

import org.mongolocks.LockClientBuilder;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** Is the contract of a strategy or a client with a mistake; run by {@link ContractSensitivityTest} alone. */
class MutatedContract extends LockContract {
    static volatile Mutation mutation = Mutation.NONE;
    static volatile boolean diesAtTheFirstFault;
    static volatile BrokenClient client = BrokenClient.SOUND;

    @Override
    public ContractServer server() {
        return ServerFinder.embedded();
    }

    @Override
    public LockStrategy strategy() {
        LockStrategy mutated = new MutatedStrategy(new FindAndModifyCounterStrategy(), mutation::applyTo);
        return diesAtTheFirstFault ? new OneFaultStrategy(mutated) : mutated;
    }

    @Override
    protected void customize(LockClientBuilder<?> builder) {
        client.customize(builder);
    }

    @Override
    protected BlockingLocks seenByRules(BlockingLocks locks) {
        return new BrokenLocks(locks, client);
    }
}
