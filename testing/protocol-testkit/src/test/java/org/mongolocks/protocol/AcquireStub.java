package org.mongolocks.protocol;

import java.util.Set;
import java.util.function.Function;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.lease.LeaseDocument;
import org.mongolocks.spi.lease.LeaseDocumentStrategy;
import org.mongolocks.spi.lease.LeaseUpdates;

/** A correct strategy except for its acquire, which a test supplies. */
class AcquireStub extends LeaseDocumentStrategy {
    private static final AcquireStub CORRECT =
            acquiring(context -> Step.call(acquireOrExtend(context), reply -> interpret(context, reply)));

    private final Set<Trait> traits;
    private final Function<AcquireContext, Step<LockOutcome>> acquire;

    AcquireStub(Set<Trait> traits, Function<AcquireContext, Step<LockOutcome>> acquire) {
        super("stub", LeaseDocument.withFormat("stub/1"));
        this.traits = traits;
        this.acquire = acquire;
    }

    static AcquireStub acquiring(Function<AcquireContext, Step<LockOutcome>> acquire) {
        return new AcquireStub(Set.of(Trait.SERVER_CLOCK), acquire);
    }

    static AcquireStub correct() {
        return CORRECT;
    }

    static MongoOp acquireOrExtend(AcquireContext context) {
        LeaseDocument document = LeaseDocument.withFormat("stub/1");
        LeaseUpdates updates = document.updates();
        return new MongoOp.FindOneAndUpdate(
                "stub/acquire",
                LockSchema.LOCKS,
                document.filterFor(context.name()),
                updates.acquireOrExtend(context, updates.nextToken()),
                true);
    }

    static Step<LockOutcome> interpret(AcquireContext context, Reply reply) {
        return CORRECT.outcome(context, reply);
    }

    @Override
    public Set<Trait> traits() {
        return traits;
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        return acquire.apply(context);
    }
}
