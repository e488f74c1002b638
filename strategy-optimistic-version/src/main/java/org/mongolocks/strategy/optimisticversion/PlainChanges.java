package org.mongolocks.strategy.optimisticversion;

import static org.mongolocks.spi.LockFields.ACQUIRED_AT;
import static org.mongolocks.spi.LockFields.EXPIRES_AT;
import static org.mongolocks.spi.LockFields.FENCE;
import static org.mongolocks.spi.LockFields.FORCED_AT;
import static org.mongolocks.spi.LockFields.HOLDER;
import static org.mongolocks.spi.LockFields.LEASE_ID;
import static org.mongolocks.spi.LockFields.LEASE_MILLIS;
import static org.mongolocks.spi.LockFields.OWNER;
import static org.mongolocks.spi.LockFields.RELEASED_AT;

import java.time.Duration;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.Lease;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Change;
import org.mongolocks.spi.StoredHolder;

/**
 * The updates of the lock document by operators that every server supports. Its dates are for operators: no decision
 * depends on them.
 */
final class PlainChanges {
    private static final BsonValue ONE_MORE = new BsonInt64(1);

    private PlainChanges() {}

    /** Removes an end that the other mode has stored, which would be that of an earlier lease. */
    static Change taken(AcquireContext context, long token) {
        BsonDocument fields = new BsonDocument(
                        OWNER, new BsonString(context.owner().stored()))
                .append(HOLDER, StoredHolder.of(context.holder()))
                .append(FENCE, new BsonInt64(token))
                .append(LEASE_MILLIS, new BsonInt64(context.ttl().toMillis()))
                .append(LEASE_ID, leaseId(context));
        return Change.operators(new BsonDocument("$set", fields)
                .append("$inc", each(ONE_MORE, Mode.VERSION))
                .append("$currentDate", each(BsonBoolean.TRUE, ACQUIRED_AT))
                .append("$unset", each(BsonBoolean.TRUE, EXPIRES_AT, RELEASED_AT, FORCED_AT)));
    }

    static Change kept(AcquireContext context) {
        return kept(context.ttl(), leaseId(context));
    }

    static Change renewed(Lease lease) {
        return kept(lease.ttl(), new BsonInt64(lease.validUntilNanos()));
    }

    static Change released() {
        return Change.operators(new BsonDocument("$inc", each(ONE_MORE, Mode.VERSION))
                .append("$currentDate", each(BsonBoolean.TRUE, RELEASED_AT))
                .append("$unset", each(BsonBoolean.TRUE, OWNER, HOLDER, LEASE_ID)));
    }

    static Change forcedFree() {
        return Change.operators(new BsonDocument("$inc", each(ONE_MORE, FENCE, Mode.VERSION))
                .append("$currentDate", each(BsonBoolean.TRUE, RELEASED_AT, FORCED_AT))
                .append("$unset", each(BsonBoolean.TRUE, OWNER, HOLDER, LEASE_ID)));
    }

    /**
     * The version is the next token. Renewals may have raised it above the least token already, and it never goes back.
     */
    static Change raised(long floor) {
        BsonValue token = new BsonInt64(floor);
        return Change.operators(new BsonDocument("$set", each(token, FENCE))
                .append("$inc", each(token, Mode.VERSION))
                .append("$currentDate", each(BsonBoolean.TRUE, RELEASED_AT, FORCED_AT))
                .append("$unset", each(BsonBoolean.TRUE, OWNER, HOLDER, LEASE_ID, EXPIRES_AT)));
    }

    private static Change kept(Duration ttl, BsonValue leaseId) {
        BsonDocument fields = new BsonDocument(LEASE_MILLIS, new BsonInt64(ttl.toMillis())).append(LEASE_ID, leaseId);
        return Change.operators(new BsonDocument("$set", fields).append("$inc", each(ONE_MORE, Mode.VERSION)));
    }

    /**
     * The end of the lease on its holder's clock: two writes of one holder with the same value belong to one lease with
     * one start.
     */
    private static BsonValue leaseId(AcquireContext context) {
        return new BsonInt64(context.startedNanos() + context.ttl().toNanos());
    }

    private static BsonDocument each(BsonValue value, String... fields) {
        BsonDocument document = new BsonDocument();
        for (String field : fields) {
            document.append(field, value);
        }
        return document;
    }
}
