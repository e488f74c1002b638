package org.mongolocks.strategy.optimisticversion;

import static org.mongolocks.spi.LockFields.ACQUIRED_AT;
import static org.mongolocks.spi.LockFields.EXPIRES_AT;
import static org.mongolocks.spi.LockFields.FENCE;
import static org.mongolocks.spi.LockFields.FORCED_AT;
import static org.mongolocks.spi.LockFields.HOLDER;
import static org.mongolocks.spi.LockFields.LEASE_MILLIS;
import static org.mongolocks.spi.LockFields.OWNER;
import static org.mongolocks.spi.LockFields.RELEASED_AT;

import java.time.Duration;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Change;
import org.mongolocks.spi.StoredHolder;

/**
 * Has the changes of the lock document in update operators that every server knows. The dates in it are for people: no
 * decision rests on them.
 */
final class PlainChanges {
    private static final BsonValue ONE_MORE = new BsonInt64(1);

    private PlainChanges() {}

    /** An end that the other mode has stored would be the end of an earlier lease, so it goes. */
    static Change taken(AcquireContext context, long token) {
        BsonDocument fields = new BsonDocument(
                        OWNER, new BsonString(context.owner().stored()))
                .append(HOLDER, StoredHolder.of(context.holder()))
                .append(FENCE, new BsonInt64(token))
                .append(LEASE_MILLIS, new BsonInt64(context.ttl().toMillis()));
        return Change.operators(new BsonDocument("$set", fields)
                .append("$inc", each(ONE_MORE, Mode.VERSION))
                .append("$currentDate", each(BsonBoolean.TRUE, ACQUIRED_AT))
                .append("$unset", each(BsonBoolean.TRUE, EXPIRES_AT, RELEASED_AT, FORCED_AT)));
    }

    static Change kept(Duration ttl) {
        return Change.operators(new BsonDocument("$set", each(new BsonInt64(ttl.toMillis()), LEASE_MILLIS))
                .append("$inc", each(ONE_MORE, Mode.VERSION)));
    }

    static Change released() {
        return Change.operators(new BsonDocument("$inc", each(ONE_MORE, Mode.VERSION))
                .append("$currentDate", each(BsonBoolean.TRUE, RELEASED_AT))
                .append("$unset", each(BsonBoolean.TRUE, OWNER, HOLDER)));
    }

    static Change forcedFree() {
        return Change.operators(new BsonDocument("$inc", each(ONE_MORE, FENCE, Mode.VERSION))
                .append("$currentDate", each(BsonBoolean.TRUE, RELEASED_AT, FORCED_AT))
                .append("$unset", each(BsonBoolean.TRUE, OWNER, HOLDER)));
    }

    private static BsonDocument each(BsonValue value, String... fields) {
        BsonDocument document = new BsonDocument();
        for (String field : fields) {
            document.append(field, value);
        }
        return document;
    }
}
