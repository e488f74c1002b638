package org.mongolocks.study.technique;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.spi.Change;
import org.mongolocks.spi.LeasePrograms;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Step;

/**
 * Is what the two flags of the MongoDB lock guide have in common: an existing document with {@code isLocked}, a wait of
 * 100 milliseconds between attempts until a time-out, and a release that sets the flag to false by {@code _id} alone.
 *
 * <p>Wrong is that a flag has no owner and no end: a holder that crashes, or whose answer is lost, locks everybody out for
 * ever, and anybody may take the flag down.
 */
interface FlagTextbook extends Textbook {
    @Override
    default List<BsonDocument> documents(LockName name) {
        return List.of(id(name).append("isLocked", BsonBoolean.FALSE));
    }

    @Override
    default Step<Boolean> unlock(LockName name, Owner owner) {
        return Step.call(
                new MongoOp.UpdateOne(name() + "/release", LOCKS, id(name), flag(false), false),
                LeasePrograms::matched);
    }

    /** Matches the document of a lock. */
    static BsonDocument id(LockName name) {
        return new BsonDocument("_id", new BsonString(name.value()));
    }

    /** Matches the document of a lock whose flag is down. */
    static BsonDocument free(LockName name) {
        return id(name).append("isLocked", BsonBoolean.FALSE);
    }

    /** Sets the flag. */
    static Change flag(boolean isLocked) {
        return Change.operators(new BsonDocument("$set", new BsonDocument("isLocked", BsonBoolean.valueOf(isLocked))));
    }
}
