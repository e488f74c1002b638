package org.mongolocks.study.technique;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
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
}
