package org.mongolocks.benchmarks.run;

import java.util.OptionalLong;
import java.util.Set;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.Step;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** A deliberately broken strategy: it guarantees mutual exclusion, but every renewal fails. */
public final class NoRenewalStrategy extends StubStrategy {
    private final LockStrategy sound = new FindAndModifyCounterStrategy();

    public NoRenewalStrategy() {
        super("no-renewal", Set.of(Trait.SERVER_CLOCK));
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        return sound.acquire(context);
    }

    @Override
    public Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken) {
        return sound.release(name, owner, fencingToken);
    }
}
