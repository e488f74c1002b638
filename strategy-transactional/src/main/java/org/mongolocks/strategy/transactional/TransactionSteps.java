package org.mongolocks.strategy.transactional;

import static org.mongolocks.strategy.transactional.TransactionalStrategy.NAME;

import java.util.function.Supplier;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** The start and the end of a transaction. */
final class TransactionSteps {
    /** A commit that is repeated does nothing twice. */
    private static final int MAX_REPEATED_COMMITS = 3;

    private TransactionSteps() {}

    static <R> Step<R> start(Supplier<Step<R>> then) {
        return Step.call(
                boundary("start", Boundary.START),
                reply -> reply instanceof Reply.Failed ? Step.fail(reply) : then.get());
    }

    /** Commits, and retries while the outcome of the commit is unknown. */
    static <R> Step<R> commit(R result) {
        return commit(result, MAX_REPEATED_COMMITS);
    }

    /** A lost reply does not matter: the server ends a transaction that is never committed. */
    static <R> Step<R> abort(Supplier<Step<R>> then) {
        return Step.call(boundary("abort", Boundary.ABORT), reply -> then.get());
    }

    private static <R> Step<R> commit(R result, int repeats) {
        return Step.call(boundary("commit", Boundary.COMMIT), reply -> {
            if (repeats > 0 && reply.failedWith(Fault.UNKNOWN_COMMIT)) {
                return commit(result, repeats - 1);
            }
            return reply instanceof Reply.Failed ? Step.fail(reply) : Step.done(result);
        });
    }

    private static MongoOp boundary(String label, Boundary boundary) {
        return new MongoOp.Transaction(NAME + "/" + label, boundary);
    }
}
