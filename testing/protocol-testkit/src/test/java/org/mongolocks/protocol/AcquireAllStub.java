package org.mongolocks.protocol;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy.MultiLockOutcome;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.Step;

/** A correct strategy except for its acquisition of several locks in one step, which a test supplies. */
final class AcquireAllStub extends AcquireStub {
    private final Function<List<AcquireContext>, Step<MultiLockOutcome>> acquireAll;

    AcquireAllStub(Set<Trait> traits, Function<List<AcquireContext>, Step<MultiLockOutcome>> acquireAll) {
        super(traits, AcquireStub.correct()::acquire);
        this.acquireAll = acquireAll;
    }

    static AcquireAllStub acquiringAll(Function<List<AcquireContext>, Step<MultiLockOutcome>> acquireAll) {
        return new AcquireAllStub(Set.of(Trait.SERVER_CLOCK, Trait.MULTI_LOCK), acquireAll);
    }

    @Override
    public Optional<Step<MultiLockOutcome>> acquireAll(List<AcquireContext> contexts) {
        return Optional.of(acquireAll.apply(contexts));
    }
}
