package org.mongolocks.contract.broken;

import org.mongolocks.LockSnapshot;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** A strategy that reports a document of another format as a held lock. */
class OtherFormatStrategy extends ForwardingStrategy {
    OtherFormatStrategy(LockStrategy strategy) {
        super(strategy);
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        Step<LockOutcome> contended = Step.done(new LockOutcome.Contended(LockSnapshot.unused(context.name())));
        return super.acquire(context)
                .then(Step::done, failure -> failure.failedWith(Fault.FOREIGN_FORMAT) ? contended : Step.fail(failure));
    }
}
