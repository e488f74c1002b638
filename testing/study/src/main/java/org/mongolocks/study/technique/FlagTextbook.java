package org.mongolocks.study.technique;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Step;

/**
 * The common part of the MongoDB lock guide's two flags: an existing document with {@code isLocked}, a wait of 100
 * milliseconds between attempts until a timeout, and a release that sets the flag to false by {@code _id} alone.
 *
 * <p>Weaknesses: a flag has neither owner nor expiry, so that after a crash of the holder, or a lost reply, the lock is
 * never available again, and any client can reset the flag.
 */
interface FlagTextbook extends Textbook {
    @Override
    default List<BsonDocument> documents(LockName name) {
        return List.of(id(name).append("isLocked", BsonBoolean.FALSE));
    }

    @Override
    default Step<Boolean> unlock(LockName name, Owner owner) {
        return Step.call(
                new MongoOp.UpdateOne(name() + "/release", LOCKS, id(name), flag(false), false), Step::matched);
    }

    /** Returns the filter for the document of a lock. */
    static BsonDocument id(LockName name) {
        return new BsonDocument("_id", new BsonString(name.value()));
    }

    /** Returns the filter for the document of a lock whose flag is false. */
    static BsonDocument free(LockName name) {
        return id(name).append("isLocked", BsonBoolean.FALSE);
    }

    /** Returns the update that sets the flag. */
    static UpdateSpec flag(boolean isLocked) {
        return UpdateSpec.operators(
                new BsonDocument("$set", new BsonDocument("isLocked", BsonBoolean.valueOf(isLocked))));
    }

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
            return flipped.andThen(
                    matched -> matched ? Textbook.acquiredForEver(context) : Textbook.contended(context));
        }
    }
}
