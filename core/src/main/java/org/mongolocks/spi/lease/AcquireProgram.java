package org.mongolocks.spi.lease;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.Optional;
import java.util.function.Supplier;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * One attempt of {@link LeaseDocumentStrategy#upsertOrTakeOver}, from one of its two writes on.
 *
 * @param mayStartAgain whether the attempt starts again if the document was deleted meanwhile: once, because that
 *     hardly happens twice
 */
record AcquireProgram(
        LeaseDocumentStrategy strategy, AcquireContext context, Supplier<MongoOp> upsert, boolean mayStartAgain) {

    AcquireProgram(LeaseDocumentStrategy strategy, AcquireContext context, Supplier<MongoOp> upsert) {
        this(strategy, context, upsert, true);
    }

    Step<LockOutcome> start() {
        return Step.call(
                upsert.get(),
                reply -> reply.failedWith(Fault.DUPLICATE_KEY) ? acquireOrExtend() : strategy.outcome(context, reply));
    }

    Step<LockOutcome> acquireOrExtend() {
        LeaseDocument document = strategy.document();
        MongoOp acquire = new MongoOp.FindOneAndUpdate(
                strategy.label("acquire-or-extend"),
                LOCKS,
                document.filterFor(context.name()),
                document.acquireOrExtend(context, document.nextToken()),
                false,
                strategy.projection());
        return Step.call(
                acquire, reply -> reply.equals(Reply.Found.none()) ? readAgain() : strategy.outcome(context, reply));
    }

    /** No document of this strategy has that name: there is none any more, or it has another format. */
    private Step<LockOutcome> readAgain() {
        return strategy.read("read-again", context.name())
                .andThen(seen ->
                        mayStartAgain ? new AcquireProgram(strategy, context, upsert, false).start() : contended(seen));
    }

    private Step<LockOutcome> contended(Optional<LockSnapshot> seen) {
        return Step.done(new LockOutcome.Contended(seen.orElseGet(() -> LockSnapshot.unused(context.name()))));
    }
}
