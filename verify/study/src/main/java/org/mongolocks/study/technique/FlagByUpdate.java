package org.mongolocks.study.technique;

import static org.mongolocks.spi.LockSchema.LOCKS;

import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Step;

/**
 * The MongoDB lock guide's "isLocked flag" by {@code update}: {@code {_id, isLocked: false}} becomes
 * {@code isLocked: true}; one matched document means acquired. Weaknesses: see {@link FlagTextbook}.
 */
final class FlagByUpdate implements FlagTextbook {
    static final String NAME = "textbook-flag-update";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        MongoOp flip = new MongoOp.UpdateOne(
                NAME + "/flip", LOCKS, FlagTextbook.free(context.name()), FlagTextbook.flag(true), false);
        Step<Boolean> flipped = Step.call(flip, Step::matched);
        return flipped.andThen(matched -> matched ? Textbook.acquiredForEver(context) : Textbook.contended(context));
    }
}
