package org.mongolocks.spi.lease;

import static org.mongolocks.spi.Expressions.add;
import static org.mongolocks.spi.Expressions.document;
import static org.mongolocks.spi.Expressions.increment;
import static org.mongolocks.spi.Expressions.literal;
import static org.mongolocks.spi.Expressions.path;
import static org.mongolocks.spi.LockSchema.LockFields.ACQUIRED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.FENCE;
import static org.mongolocks.spi.LockSchema.LockFields.FORCED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.FORMAT;
import static org.mongolocks.spi.LockSchema.LockFields.HOLDER;
import static org.mongolocks.spi.LockSchema.LockFields.LEASE_ID;
import static org.mongolocks.spi.LockSchema.LockFields.LEASE_MILLIS;
import static org.mongolocks.spi.LockSchema.LockFields.NEXT;
import static org.mongolocks.spi.LockSchema.LockFields.OWNER;
import static org.mongolocks.spi.LockSchema.LockFields.RELEASED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.RENEWED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.TURN;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Expressions;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp.UpdateSpec;

/**
 * The updates of a {@link LeaseDocument}. All dates are the server's. A lease ends {@code leaseMs} after
 * {@code renewedAt}: the end is not stored, so that plain operators suffice to grant and to release
 * ({@code $currentDate} stores the server's time, but cannot add to it). They cost the server less than a pipeline.
 * {@link #acquireOrExtend}, which decides on the server whether a lease has ended, is a pipeline. So is a renewal: the
 * start of a lease never moves back, also if the server's clock does for a while.
 *
 * <p>Documents that are the same in every command are created once, shared and immutable.
 */
public final class LeaseUpdates {
    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();
    private static final BsonValue ONE = new BsonInt64(1);

    /** The end of the lease; null if a field is missing. */
    static final BsonDocument END = add(path(RENEWED_AT), path(LEASE_MILLIS));

    /** True when the lock is free: it was never used, was released, or its lease has ended. */
    private static final BsonDocument IS_FREE = fixed(isFree());

    private static final BsonString REMOVE = new BsonString("$$REMOVE");
    private static final BsonDocument NOT_FORCED = each(BsonBoolean.TRUE, FORCED_AT);
    private static final BsonDocument NEXT_HAVE_TURN = fixed(new BsonDocument(NEXT, new BsonString(TURN)));
    /** Since when a free lock is free. */
    private static final BsonDocument FREE_SINCE =
            fixed(Expressions.cond(WaitingList.hasNoOwner(), path(RELEASED_AT), END));

    /** The dates of a document that a waiter creates; every other one without an owner has them. */
    private static final BsonDocument FREE_SINCE_NOW = fixed(document(
            "$set",
            document(
                            RELEASED_AT,
                            Expressions.cond(
                                    WaitingList.hasNoOwner(),
                                    Expressions.ifNull(path(RELEASED_AT), Expressions.NOW),
                                    path(RELEASED_AT)))
                    .append(RENEWED_AT, Expressions.ifNull(path(RENEWED_AT), Expressions.NOW))));

    private static final BsonDocument GRANT_DATES = each(BsonBoolean.TRUE, ACQUIRED_AT, RENEWED_AT);
    private static final BsonDocument RENEWAL_DATE = each(BsonBoolean.TRUE, RENEWED_AT);
    private static final BsonDocument NO_HOLDER = each(BsonBoolean.TRUE, HOLDER);

    /** The start of a lease that is extended: it never moves back. */
    private static final BsonDocument RESTARTED =
            fixed(document("$max", new BsonArray(List.of(path(RENEWED_AT), Expressions.NOW))));

    /** What is left of the lease when it is extended; null if a field is missing. */
    private static final BsonDocument LEFT_WHEN_RESTARTED =
            fixed(document("$subtract", new BsonArray(List.of(END, RESTARTED))));

    private final String revision;
    private final Optional<String> flag;
    private final boolean hasLeaseIds;
    /** True when the document has another format, or none. */
    private final BsonDocument isForeign;

    private final BsonDocument derived;
    private final BsonDocument nextRevision;
    private final BsonDocument nextToken;
    private final BsonDocument oneMore;
    private final BsonDocument oneMoreWithToken;
    private final UpdateSpec released;
    private volatile @Nullable TtlUpdates latest;

    /** What extends and renews a lease of one ttl; a client usually requests the same ttl each time. */
    private record TtlUpdates(Duration ttl, BsonDocument extended, UpdateSpec renewed) {}

    LeaseUpdates(String format, String revision, Optional<String> flag, boolean hasLeaseIds) {
        this.revision = revision;
        this.flag = flag;
        this.hasLeaseIds = hasLeaseIds;
        this.isForeign = fixed(document("$ne", new BsonArray(List.of(path(FORMAT), literal(format)))));
        this.derived = fixed(document("$set", derivedFields(isForeign)));
        this.nextRevision = fixed(increment(revision));
        this.nextToken = fixed(nextToken(FENCE));
        this.oneMore = each(ONE, revision);
        this.oneMoreWithToken = each(ONE, FENCE, revision);
        this.released = released(new BsonDocument("$inc", oneMore), RELEASED_AT);
    }

    /**
     * Returns the expression for the token of the next grant: the stored one plus one, and at least the server's time in
     * milliseconds.
     *
     * @return the expression
     */
    public BsonDocument nextToken() {
        return nextToken;
    }

    /**
     * Returns the expression for the next number of a field that counts tokens: it grows also if the document was deleted
     * in between.
     *
     * @param field the name of the field
     * @return the expression
     */
    public static BsonDocument nextToken(String field) {
        return document("$max", new BsonArray(List.of(increment(field), document("$toLong", Expressions.NOW))));
    }

    /**
     * Returns the update that grants the lock in a new document, or in one of a released lock for which nobody waits, with
     * {@link #nextToken}. Its filter, for an upsert, is {@link LeaseDocument#missingFilter} or
     * {@link LeaseDocument#releasedFilter}.
     *
     * @param context the owner, the lock and the lease
     * @return the update: a pipeline; by operators with the token 1 if the schema has lease ids
     */
    public UpdateSpec created(AcquireContext context) {
        if (hasLeaseIds) {
            return granted(context, 1);
        }
        BsonDocument grant = grant(context, nextToken);
        if (countsTokens()) {
            grant.append(revision, nextToken);
        }
        return UpdateSpec.pipeline(document("$set", grant.append(FORCED_AT, REMOVE)));
    }

    /**
     * Returns the update that grants the lock with the next token, the stored one plus one. Its filter decides that the
     * lock is free.
     *
     * @param context the owner, the lock and the lease
     * @return the update, by operators
     */
    public UpdateSpec granted(AcquireContext context) {
        return granted(context, grantFields(context), oneMoreWithToken);
    }

    /**
     * Returns the update that grants the lock with a certain token. Its filter decides that the lock is free.
     *
     * @param context the owner, the lock and the lease
     * @param token the token
     * @return the update, by operators
     */
    public UpdateSpec granted(AcquireContext context, long token) {
        return granted(context, grantFields(context).append(FENCE, new BsonInt64(token)), oneMore);
    }

    /**
     * Returns the update that starts the lease of an attempt again, without a new token. Its filter is
     * {@link LeaseDocument#ownerFilter}.
     *
     * @param context the owner, the lock and the lease
     * @return the update
     */
    public UpdateSpec extended(AcquireContext context) {
        return extended(context.ttl(), leaseId(context));
    }

    /**
     * Returns the update that renews a lease: it starts again, and ends at the later of its old end and the new one.
     * Its filter is {@link LeaseDocument#ownerFilter}. Renewals of a grant may have different ttls and be executed in any order, also
     * late ones: none ever moves the end back.
     *
     * @param lease the lease as it will be
     * @return the update
     */
    public UpdateSpec renewed(Lease lease) {
        return hasLeaseIds
                ? extended(lease.ttl(), leaseId(lease))
                : updatesFor(lease.ttl()).renewed();
    }

    /**
     * Returns the fields that extend a lease for an attempt. The lease does not get shorter: an attempt may be executed
     * after a renewal with a larger ttl.
     */
    private BsonDocument extendedFields(Duration ttl) {
        return extendedFields(atLeast(ttl, path(LEASE_MILLIS)));
    }

    private BsonDocument extendedFields(BsonDocument leaseMillis) {
        return new BsonDocument(RENEWED_AT, RESTARTED)
                .append(LEASE_MILLIS, leaseMillis)
                .append(revision, nextRevision);
    }

    /**
     * Returns the update that acquires the lock if it is free and no waiter comes first. If the document stores the
     * same owner, it extends the lease and keeps the token, even if that lease has expired. Else it changes the entry
     * of the {@linkplain AcquireContext#waiter waiter}; see {@link LockStrategy#waitingList}. A document of another
     * format stays as it is. The first stage decides all of this on the document as it was; the owner in the resulting
     * document is the holder.
     *
     * <p>Its filter is {@link LeaseDocument#named(LockName)}, which the server finds without planning a query. For an
     * upsert it is {@link LeaseDocument#filterFor}: by the name alone a new document could not be distinguished from a
     * stored one with nothing but a name.
     *
     * @param context the owner, the lock, the lease and the waiter
     * @param token the token of a new grant, an expression
     * @return the update, a pipeline
     */
    public UpdateSpec acquireOrExtend(AcquireContext context, BsonValue token) {
        return UpdateSpec.pipeline(
                decision(context, isFreeInTurn(), updatesFor(context.ttl()).extended(), listedGrant(context, token)),
                derived);
    }

    /**
     * Returns the update that acquires the lock if no waiter comes first, and else changes the entry of the
     * {@linkplain AcquireContext#waiter waiter}. Its filter decides that the lock is free.
     *
     * @param context the owner, the lock, the lease and the waiter
     * @param token the token
     * @return the update, a pipeline
     */
    public UpdateSpec grantedInTurn(AcquireContext context, long token) {
        BsonDocument granted = listedGrant(context, new BsonInt64(token));
        return UpdateSpec.pipeline(
                decision(context, WaitingList.isTurn(FREE_SINCE), Expressions.ROOT, granted), derived);
    }

    private BsonDocument listedGrant(AcquireContext context, BsonValue token) {
        BsonDocument grant = grant(context, token);
        grant.putAll(WaitingList.afterGrant(WaitingList.numberOf(context)));
        return Expressions.mergeIntoRoot(grant);
    }

    private BsonDocument grant(AcquireContext context, BsonValue token) {
        BsonDocument grant = new BsonDocument(OWNER, literal(context.owner().stored()))
                .append(HOLDER, literal(context.holderInfo().stored()))
                .append(FENCE, token)
                .append(ACQUIRED_AT, Expressions.NOW)
                .append(RENEWED_AT, Expressions.NOW)
                .append(LEASE_MILLIS, new BsonInt64(context.ttl().toMillis()))
                .append(revision, nextRevision);
        flag.ifPresent(field -> grant.append(field, BsonBoolean.TRUE));
        if (hasLeaseIds) {
            grant.append(LEASE_ID, new BsonInt64(leaseId(context)));
        }
        return grant;
    }

    private BsonDocument isFreeInTurn() {
        BsonDocument isFree = hasLeaseIds ? WaitingList.hasNoOwner() : IS_FREE;
        return document("$and", new BsonArray(List.of(isFree, WaitingList.isTurn(FREE_SINCE))));
    }

    /**
     * Returns the update that only changes the entry of the {@linkplain AcquireContext#waiter waiter}, unless it is the
     * owner. A waiter is added also to a free lock, which another attempt may acquire before its own; it is removed only if
     * {@link #acquireOrExtend} would not acquire the lock. Its filter is {@link LeaseDocument#named(LockName)}, or, for an
     * upsert, {@link LeaseDocument#filterFor}.
     */
    UpdateSpec registered(AcquireContext context) {
        return UpdateSpec.pipeline(registration(context), derived);
    }

    /** Returns the same for an upsert: a document that it creates is that of a lock which was released just now. */
    UpdateSpec createdFor(AcquireContext waiting) {
        return UpdateSpec.pipeline(FREE_SINCE_NOW, registration(waiting), derived);
    }

    private BsonDocument registration(AcquireContext context) {
        BsonValue isLeft = WaitingList.isAdded(context) ? BsonBoolean.FALSE : isFreeInTurn();
        return decision(context, isLeft, Expressions.ROOT, Expressions.ROOT);
    }

    /** Returns the update that removes a waiter from the list. */
    UpdateSpec unregistered(long number) {
        return UpdateSpec.pipeline(WaitingList.removal(number), derived);
    }

    /** The first branch protects the others: they may fail on fields of unexpected types. */
    private BsonDocument decision(AcquireContext context, BsonValue isGranted, BsonValue extended, BsonValue granted) {
        BsonArray branches = new BsonArray(List.of(
                branch(isForeign, Expressions.ROOT),
                branch(isOwner(context.owner()), extended),
                branch(isGranted, granted)));
        context.waiter()
                .ifPresent(waiter -> branches.add(
                        branch(WaitingList.changes(waiter), Expressions.mergeIntoRoot(WaitingList.changed(waiter)))));
        BsonDocument decided =
                document("$switch", document("branches", branches).append("default", Expressions.ROOT));
        return document("$replaceWith", WaitingList.with(WaitingList.numberOf(context), decided));
    }

    /**
     * Returns the update that releases the lock and leaves the document, with its token, as a tombstone. As by a forced
     * release, its event notifies the next waiters.
     *
     * @return the update, by operators
     */
    public UpdateSpec released() {
        return released;
    }

    /**
     * Returns the update that ends the grant of an owner and starts a lease of no owner. Its event shows the next waiters
     * the end of that lease. Its filter is {@link LeaseDocument#ownerFilter}, which does not match any more after it.
     *
     * @param lease the grant, with the length of that lease as its ttl
     * @return the update, by operators
     */
    public UpdateSpec releasedAfter(Lease lease) {
        BsonDocument fields = new BsonDocument(
                        OWNER, new BsonString(lease.owner().storedAfterRelease()))
                .append(LEASE_MILLIS, new BsonInt64(lease.ttl().toMillis()));
        if (hasLeaseIds) {
            fields.append(LEASE_ID, new BsonInt64(leaseId(lease)));
        }
        return UpdateSpec.operators(new BsonDocument("$set", fields)
                .append("$inc", oneMore)
                .append("$currentDate", RENEWAL_DATE)
                .append("$unset", NO_HOLDER)
                .append("$rename", NEXT_HAVE_TURN));
    }

    /**
     * Returns the update that force-releases the lock and increments its token. It counts as a use of the document for a
     * TTL index.
     *
     * @return the update, by operators
     */
    public UpdateSpec forceReleased() {
        return released(new BsonDocument("$inc", oneMoreWithToken), RELEASED_AT, FORCED_AT, RENEWED_AT);
    }

    /**
     * Returns the update that force-releases the lock and sets its token. If the tokens are the revisions, the revision
     * is at least the token then, so that the next one is larger.
     *
     * @param token the new token; greater than the stored one
     * @return the update, by operators
     */
    public UpdateSpec forceReleased(long token) {
        BsonValue least = new BsonInt64(token);
        BsonDocument raised = countsTokens()
                ? new BsonDocument("$max", each(least, FENCE, revision))
                : new BsonDocument("$max", each(least, FENCE)).append("$inc", oneMore);
        return released(raised, RELEASED_AT, FORCED_AT, RENEWED_AT);
    }

    private BsonDocument grantFields(AcquireContext context) {
        BsonDocument fields = new BsonDocument(
                        OWNER, new BsonString(context.owner().stored()))
                .append(HOLDER, context.holderInfo().stored())
                .append(LEASE_MILLIS, new BsonInt64(context.ttl().toMillis()));
        flag.ifPresent(field -> fields.append(field, BsonBoolean.TRUE));
        return fields;
    }

    private UpdateSpec granted(AcquireContext context, BsonDocument fields, BsonDocument increments) {
        if (hasLeaseIds) {
            fields.append(LEASE_ID, new BsonInt64(leaseId(context)));
        }
        return UpdateSpec.operators(new BsonDocument("$set", fields)
                .append("$inc", increments)
                .append("$currentDate", GRANT_DATES)
                .append("$unset", NOT_FORCED));
    }

    private UpdateSpec extended(Duration ttl, long leaseId) {
        if (!hasLeaseIds) {
            return UpdateSpec.pipeline(document("$set", extendedFields(ttl)));
        }
        return UpdateSpec.operators(new BsonDocument("$set", new BsonDocument(LEASE_ID, new BsonInt64(leaseId)))
                .append("$max", new BsonDocument(LEASE_MILLIS, new BsonInt64(ttl.toMillis())))
                .append("$inc", oneMore)
                .append("$currentDate", RENEWAL_DATE));
    }

    /** Returns whether the field that counts changes gives the tokens too. */
    private boolean countsTokens() {
        return !revision.equals(LockFields.REVISION);
    }

    /** Returns an update with others of its operators, which removes the owner and stores the time in some fields. */
    private UpdateSpec released(BsonDocument update, String... dates) {
        flag.ifPresent(field -> update.append("$set", new BsonDocument(field, BsonBoolean.FALSE)));
        update.append("$currentDate", each(BsonBoolean.TRUE, dates))
                .append(
                        "$unset",
                        hasLeaseIds
                                ? each(BsonBoolean.TRUE, OWNER, HOLDER, LEASE_ID)
                                : each(BsonBoolean.TRUE, OWNER, HOLDER))
                .append("$rename", NEXT_HAVE_TURN);
        return UpdateSpec.operators(fixed(update));
    }

    private TtlUpdates updatesFor(Duration ttl) {
        TtlUpdates known = latest;
        if (known == null || !known.ttl().equals(ttl)) {
            BsonDocument extended = fixed(Expressions.mergeIntoRoot(extendedFields(ttl)));
            BsonDocument renewed = fixed(document("$set", extendedFields(atLeast(ttl, LEFT_WHEN_RESTARTED))));
            known = new TtlUpdates(ttl, extended, UpdateSpec.pipeline(renewed));
            latest = known;
        }
        return known;
    }

    private static long leaseId(AcquireContext context) {
        return context.startedNanos();
    }

    private static long leaseId(Lease started) {
        return started.validUntilNanos() - started.ttl().toNanos();
    }

    /** Returns an expression for the larger of two numbers of milliseconds; the second may be null. */
    private static BsonDocument atLeast(Duration ttl, BsonValue other) {
        return document("$max", new BsonArray(List.of(new BsonInt64(ttl.toMillis()), other)));
    }

    /** Returns the expression that is true when an owner holds the lock. */
    private static BsonDocument isOwner(Owner owner) {
        return document("$eq", new BsonArray(List.of(path(OWNER), literal(owner.stored()))));
    }

    private static BsonDocument isFree() {
        BsonDocument hasEnded = document("$lte", new BsonArray(List.of(END, Expressions.NOW)));
        return document("$or", new BsonArray(List.of(WaitingList.hasNoOwner(), hasEnded)));
    }

    /** Returns an immutable copy of a document that is the same in every command; the driver copies its bytes. */
    static BsonDocument fixed(BsonDocument expression) {
        return new RawBsonDocument(expression, CODEC);
    }

    private static BsonDocument each(BsonValue value, String... fields) {
        BsonDocument document = new BsonDocument();
        for (String field : fields) {
            document.append(field, value);
        }
        return fixed(document);
    }

    /** A grant ends what a forced release has stored. */
    private static BsonDocument derivedFields(BsonDocument isForeign) {
        BsonDocument ofFree = Expressions.cond(WaitingList.hasNoOwner(), path(FORCED_AT), REMOVE);
        BsonDocument fields = document(FORCED_AT, WaitingList.keptIf(isForeign, FORCED_AT, ofFree));
        return WaitingList.derivedFields(fields, isForeign);
    }

    private static BsonDocument branch(BsonValue condition, BsonValue then) {
        return document("case", condition).append("then", then);
    }
}
