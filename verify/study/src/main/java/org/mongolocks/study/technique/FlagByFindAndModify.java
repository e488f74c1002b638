package org.mongolocks.study.technique;

import static org.mongolocks.spi.LockSchema.LOCKS;

import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * The MongoDB lock guide's "isLocked flag" by {@code findAndModify}: {@code {_id, isLocked: false}} becomes
 * {@code isLocked: true}; a document in the reply means acquired, none means wait. Weaknesses: see
 * {@link FlagTextbook}.
 */
final class FlagByFindAndModify implements FlagTextbook {
    static final String NAME = "textbook-flag-findandmodify";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        MongoOp flip = new MongoOp.FindOneAndUpdate(
                NAME + "/flip", LOCKS, FlagTextbook.free(context.name()), FlagTextbook.flag(true), false);
        return Step.call(flip, reply -> {
            if (reply instanceof Reply.Found found) {
                return found.document().isPresent() ? Textbook.acquiredForEver(context) : Textbook.contended(context);
            }
            return Step.fail(reply);
        });
    }
}
