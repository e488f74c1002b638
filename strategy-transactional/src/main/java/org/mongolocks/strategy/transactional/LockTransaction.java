package org.mongolocks.strategy.transactional;

import static org.mongolocks.spi.LockSchema.LOCKS;
import static org.mongolocks.strategy.transactional.TransactionalStrategy.ACQUIRING;
import static org.mongolocks.strategy.transactional.TransactionalStrategy.DOCUMENT;
import static org.mongolocks.strategy.transactional.TransactionalStrategy.HOLDING;
import static org.mongolocks.strategy.transactional.TransactionalStrategy.NAME;

import java.util.function.Supplier;
import org.bson.BsonValue;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/** Is one transaction: counts up, takes or keeps the lock, and commits if it is ours. */
record LockTransaction(AcquireContext context) {
    /** A commit that is repeated does nothing twice. */
    static final int MOST_REPEATED_COMMITS = 3;

    Step<LockOutcome> start() {
        return Step.call(
                boundary("start", Boundary.START), reply -> reply instanceof Reply.Failed ? Step.fail(reply) : body());
    }

    private Step<LockOutcome> body() {
        return FenceCounter.next(context.name()).andThen(this::takeOrKeep).fold(this::decided, this::undo);
    }

    private Step<LockOutcome> takeOrKeep(BsonValue token) {
        MongoOp take = new MongoOp.FindOneAndUpdate(
                NAME + "/take-or-keep",
                LOCKS,
                DOCUMENT.own(context.name()),
                DOCUMENT.takenOrKept(context, token),
                true);
        return Step.call(take, reply -> ACQUIRING.answer(context, reply));
    }

    private Step<LockOutcome> decided(LockOutcome outcome) {
        return outcome instanceof LockOutcome.Acquired
                ? commit(outcome, MOST_REPEATED_COMMITS)
                : abort(() -> Step.done(outcome));
    }

    private Step<LockOutcome> commit(LockOutcome outcome, int repeats) {
        return Step.call(boundary("commit", Boundary.COMMIT), reply -> {
            if (repeats > 0 && reply.failedWith(Fault.UNKNOWN_COMMIT)) {
                return commit(outcome, repeats - 1);
            }
            return reply instanceof Reply.Failed ? Step.fail(reply) : Step.done(outcome);
        });
    }

    /** A duplicate key is an answer: another has created the document, and a look tells who. */
    private Step<LockOutcome> undo(Reply.Failed failure) {
        return abort(() -> failure.failedWith(Fault.DUPLICATE_KEY) ? lookAtWinner() : Step.fail(failure));
    }

    private Step<LockOutcome> lookAtWinner() {
        LockSnapshot gone = LockSnapshot.unused(context.name());
        return HOLDING.look("look-at-winner", context.name())
                .andThen(seen -> Step.done(new LockOutcome.Contended(seen.orElse(gone))));
    }

    /** Whether the server has heard it does not matter: it ends by itself what nobody commits. */
    private static Step<LockOutcome> abort(Supplier<Step<LockOutcome>> then) {
        return Step.call(boundary("abort", Boundary.ABORT), reply -> then.get());
    }

    private static MongoOp boundary(String label, Boundary boundary) {
        return new MongoOp.Transaction(NAME + "/" + label, boundary);
    }
}
