package org.mongolocks.strategy.transactional;

import static org.mongolocks.spi.LockSchema.LOCKS;
import static org.mongolocks.strategy.transactional.TransactionalStrategy.ACQUIRING;
import static org.mongolocks.strategy.transactional.TransactionalStrategy.DOCUMENT;
import static org.mongolocks.strategy.transactional.TransactionalStrategy.HOLDING;
import static org.mongolocks.strategy.transactional.TransactionalStrategy.NAME;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonValue;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MultiLockOutcome;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/** One transaction: it increments the counter, acquires or extends each lock, and commits if the owner holds all. */
record AcquireTransaction(List<AcquireContext> contexts) {
    Step<MultiLockOutcome> start() {
        return TransactionSteps.start(() -> body(List.of()));
    }

    /** Continues with the next lock, after those that the owner holds. */
    private Step<MultiLockOutcome> body(List<Lease> ours) {
        if (ours.size() == contexts.size()) {
            return TransactionSteps.commit(new MultiLockOutcome.Acquired(ours));
        }
        AcquireContext next = contexts.get(ours.size());
        return FenceCounter.next(next.name())
                .andThen(count -> takeOrKeep(next, count))
                .then(outcome -> decided(ours, outcome), failure -> undo(next.name(), failure));
    }

    /** A token is larger than the count if the lock document has seen a larger one. */
    private static Step<LockOutcome> takeOrKeep(AcquireContext context, BsonValue count) {
        MongoOp take = new MongoOp.FindOneAndUpdate(
                NAME + "/take-or-keep",
                LOCKS,
                DOCUMENT.filterFor(context.name()),
                DOCUMENT.acquireOrExtend(context, TransactionalStrategy.newToken(count)),
                true,
                Optional.of(DOCUMENT.projection()));
        return Step.call(take, reply -> ACQUIRING.answer(context, reply)).andThen(outcome -> counted(outcome, count));
    }

    private static Step<LockOutcome> counted(LockOutcome outcome, BsonValue count) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            Lease lease = acquired.lease();
            return FenceCounter.raisedTo(lease.name(), lease.fencingToken(), count, () -> Step.done(outcome));
        }
        return Step.done(outcome);
    }

    private Step<MultiLockOutcome> decided(List<Lease> ours, LockOutcome outcome) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            List<Lease> more = new ArrayList<>(ours);
            more.add(acquired.lease());
            return body(List.copyOf(more));
        }
        return TransactionSteps.abort(
                () -> Step.done(new MultiLockOutcome.Contended(((LockOutcome.Contended) outcome).holder())));
    }

    /**
     * A duplicate key is a definite reply: a concurrent attempt has created the document, and a read shows its owner.
     */
    private static Step<MultiLockOutcome> undo(LockName name, Reply.Failed failure) {
        return TransactionSteps.abort(
                () -> failure.failedWith(Fault.DUPLICATE_KEY) ? lookAtWinner(name) : Step.fail(failure));
    }

    private static Step<MultiLockOutcome> lookAtWinner(LockName name) {
        LockSnapshot gone = LockSnapshot.unused(name);
        return HOLDING.read("look-at-winner", name)
                .andThen(seen -> Step.done(new MultiLockOutcome.Contended(seen.orElse(gone))));
    }
}
