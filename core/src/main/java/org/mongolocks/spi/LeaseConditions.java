package org.mongolocks.spi;

import static org.mongolocks.spi.Expressions.document;
import static org.mongolocks.spi.Expressions.literal;
import static org.mongolocks.spi.Expressions.path;
import static org.mongolocks.spi.LockFields.EXPIRES_AT;
import static org.mongolocks.spi.LockFields.OWNER;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.mongolocks.Owner;

/** The expressions that evaluate a lock document at the server's time. */
final class LeaseConditions {
    /** True when the lock is free: it was never used, was released, or its lease has ended. */
    static final BsonDocument IS_FREE = Expressions.fixed(isFree());

    private LeaseConditions() {}

    /** Returns the expression that is true when an owner holds the lock. */
    static BsonDocument isMine(Owner owner) {
        return document("$eq", new BsonArray(List.of(path(OWNER), literal(owner.stored()))));
    }

    private static BsonDocument isFree() {
        BsonValue ownerOrNull = Expressions.ifNull(path(OWNER), Expressions.NULL);
        return document(
                "$or",
                new BsonArray(List.of(
                        document("$eq", new BsonArray(List.of(ownerOrNull, Expressions.NULL))),
                        document("$lte", new BsonArray(List.of(path(EXPIRES_AT), Expressions.NOW))))));
    }
}
