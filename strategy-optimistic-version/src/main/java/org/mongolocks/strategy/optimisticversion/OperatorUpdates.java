package org.mongolocks.strategy.optimisticversion;

import static org.mongolocks.spi.LockSchema.LockFields.ACQUIRED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.EXPIRES_AT;
import static org.mongolocks.spi.LockSchema.LockFields.FENCE;
import static org.mongolocks.spi.LockSchema.LockFields.FORCED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.HOLDER;
import static org.mongolocks.spi.LockSchema.LockFields.LEASE_ID;
import static org.mongolocks.spi.LockSchema.LockFields.LEASE_MILLIS;
import static org.mongolocks.spi.LockSchema.LockFields.OWNER;
import static org.mongolocks.spi.LockSchema.LockFields.RELEASED_AT;
import static org.mongolocks.strategy.optimisticversion.CompareAndSetStrategy.VERSION;

import java.time.Duration;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.Lease;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.MongoOp.UpdateSpec;

/**
 * The updates of the lock document by operators that every server supports. Its dates are for operators: no decision
 * depends on them.
 */
final class OperatorUpdates {
    private static final BsonValue ONE = new BsonInt64(1);

    private OperatorUpdates() {}

    /** Also removes {@code expiresAt}, so that the date of an earlier lease is never left. */
    static UpdateSpec granted(AcquireContext context, long token) {
        BsonDocument fields = new BsonDocument(
                        OWNER, new BsonString(context.owner().stored()))
                .append(HOLDER, context.holder().stored())
                .append(FENCE, new BsonInt64(token))
                .append(LEASE_MILLIS, new BsonInt64(context.ttl().toMillis()))
                .append(LEASE_ID, leaseId(context));
        return UpdateSpec.operators(new BsonDocument("$set", fields)
                .append("$inc", each(ONE, VERSION))
                .append("$currentDate", each(BsonBoolean.TRUE, ACQUIRED_AT))
                .append("$unset", each(BsonBoolean.TRUE, EXPIRES_AT, RELEASED_AT, FORCED_AT)));
    }

    static UpdateSpec extended(AcquireContext context) {
        return extended(context.ttl(), leaseId(context));
    }

    static UpdateSpec renewed(Lease lease) {
        return extended(lease.ttl(), new BsonInt64(lease.validUntilNanos()));
    }

    static UpdateSpec released() {
        return UpdateSpec.operators(new BsonDocument("$inc", each(ONE, VERSION))
                .append("$currentDate", each(BsonBoolean.TRUE, RELEASED_AT))
                .append("$unset", each(BsonBoolean.TRUE, OWNER, HOLDER, LEASE_ID)));
    }

    static UpdateSpec forceReleased() {
        return UpdateSpec.operators(new BsonDocument("$inc", each(ONE, FENCE, VERSION))
                .append("$currentDate", each(BsonBoolean.TRUE, RELEASED_AT, FORCED_AT))
                .append("$unset", each(BsonBoolean.TRUE, OWNER, HOLDER, LEASE_ID)));
    }

    /**
     * The version is the next token. Renewals may have raised it above the least token already, and it never goes back.
     */
    static UpdateSpec raised(long floor) {
        BsonValue token = new BsonInt64(floor);
        return UpdateSpec.operators(new BsonDocument("$set", each(token, FENCE))
                .append("$inc", each(token, VERSION))
                .append("$currentDate", each(BsonBoolean.TRUE, RELEASED_AT, FORCED_AT))
                .append("$unset", each(BsonBoolean.TRUE, OWNER, HOLDER, LEASE_ID, EXPIRES_AT)));
    }

    private static UpdateSpec extended(Duration ttl, BsonValue leaseId) {
        BsonDocument fields = new BsonDocument(LEASE_MILLIS, new BsonInt64(ttl.toMillis())).append(LEASE_ID, leaseId);
        return UpdateSpec.operators(new BsonDocument("$set", fields).append("$inc", each(ONE, VERSION)));
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
