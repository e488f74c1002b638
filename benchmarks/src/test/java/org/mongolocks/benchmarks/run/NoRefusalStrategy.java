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

/** A deliberately broken strategy: it grants free locks as it should, but an attempt on a held lock fails. */
public final class NoRefusalStrategy extends StubStrategy {
    private final LockStrategy sound = new FindAndModifyCounterStrategy();

    public NoRefusalStrategy() {
        super("no-refusal", Set.of(Trait.SERVER_CLOCK));
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        return sound.acquire(context).andThen(outcome -> {
            if (outcome instanceof LockOutcome.Contended) {
                throw new UnsupportedOperationException("refuse");
            }
            return Step.done(outcome);
        });
    }

    @Override
    public Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken) {
        return sound.release(name, owner, fencingToken);
    }
}
