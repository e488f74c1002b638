package org.mongolocks.spi.lease;

import static java.util.stream.Collectors.toCollection;
import static org.mongolocks.spi.Expressions.add;
import static org.mongolocks.spi.Expressions.document;
import static org.mongolocks.spi.Expressions.increment;
import static org.mongolocks.spi.Expressions.literal;
import static org.mongolocks.spi.Expressions.path;
import static org.mongolocks.spi.LockSchema.LockFields.ACQUIRED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.EXPIRES_AT;
import static org.mongolocks.spi.LockSchema.LockFields.FENCE;
import static org.mongolocks.spi.LockSchema.LockFields.FORCED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.FORMAT;
import static org.mongolocks.spi.LockSchema.LockFields.HOLDER;
import static org.mongolocks.spi.LockSchema.LockFields.ID;
import static org.mongolocks.spi.LockSchema.LockFields.LEASE_ID;
import static org.mongolocks.spi.LockSchema.LockFields.LEASE_MILLIS;
import static org.mongolocks.spi.LockSchema.LockFields.NOW;
import static org.mongolocks.spi.LockSchema.LockFields.OWNER;
import static org.mongolocks.spi.LockSchema.LockFields.PURGE_AT;
import static org.mongolocks.spi.LockSchema.LockFields.RELEASED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.REVISION;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;
import org.mongolocks.HolderInfo;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Expressions;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.lease.ListProgram.PrefixRange;

/**
 * The schema of a strategy's lock document, with the filters and updates of the commands on it, and its reader. A field
 * that is missing or of another type is read as absent.
 *
 * <p>{@link #withFlag}, {@link #withRevision} and {@link #purgedAfter} configure the differences between strategies.
 * All time is the server's ({@code $$NOW}). Expressions that are the same in every command are created once, shared and
 * immutable.
 */
public final class LeaseDocument {
    private static final List<String> FIELDS_READ =
            List.of(FORMAT, OWNER, HOLDER, FENCE, ACQUIRED_AT, EXPIRES_AT, LEASE_MILLIS, FORCED_AT);
    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    /** True when the lock is free: it was never used, was released, or its lease has ended. */
    private static final BsonDocument IS_FREE = fixed(isFree());

    private static final BsonDocument UNSET_HOLDER = unset(OWNER, HOLDER);
    private static final BsonDocument UNSET_RELEASE = unset(RELEASED_AT, FORCED_AT);

    private final String format;
    private final String revision;
    private final Optional<String> flag;
    private final Optional<Duration> purgeGrace;
    private final List<BsonDocument> purge;
    private final BsonDocument nextRevision;
    private final BsonDocument nextToken;
    private final BsonDocument projection;
    private final UpdateSpec released;
    private volatile @Nullable TtlExpressions latest;

    /** The expressions for one ttl; a client usually requests the same ttl each time. */
    private record TtlExpressions(Duration ttl, BsonDocument end, BsonDocument renewed) {}

    private LeaseDocument(String format, String revision, Optional<String> flag, Optional<Duration> purgeGrace) {
        this.format = format;
        this.revision = revision;
        this.flag = flag;
        this.purgeGrace = purgeGrace;
        this.purge = purgeGrace.map(LeaseDocument::purgeAt).stream().toList();
        this.nextRevision = fixed(increment(revision));
        this.nextToken = fixed(purgeGrace.isEmpty() ? increment(FENCE) : plusOneOrNow());
        this.projection = fixed(projectionWith(revision));
        this.released = released(new BsonDocument());
    }

    /**
     * Returns the plain schema: see {@link LockFields}.
     *
     * @param format the mark of each such document: the name of the strategy, a slash and a version that is raised when
     *     earlier clients can no longer read it
     * @return the schema
     */
    public static LeaseDocument withFormat(String format) {
        return new LeaseDocument(format, REVISION, Optional.empty(), Optional.empty());
    }

    /**
     * Adds a field that is true while the lock is held and false after its release.
     *
     * @param field the name of the flag
     * @return the schema with the flag
     */
    public LeaseDocument withFlag(String field) {
        return new LeaseDocument(format, revision, Optional.of(field), purgeGrace);
    }

    /**
     * Renames the field that counts changes.
     *
     * @param field the name
     * @return the schema with that name
     */
    public LeaseDocument withRevision(String field) {
        return new LeaseDocument(format, field, flag, purgeGrace);
    }

    /**
     * Adds the date after which an unused document may be deleted. Each new token is the larger of the last token plus
     * one and the server's time in milliseconds, so that tokens keep growing after the document is deleted and created
     * again.
     *
     * @param grace how long after the end of the lease or the release; much longer than the largest difference between
     *     two server clocks
     * @return the schema with the date
     */
    public LeaseDocument purgedAfter(Duration grace) {
        return new LeaseDocument(format, revision, flag, Optional.of(grace));
    }

    /**
     * Returns the mark of each document.
     *
     * @return the mark
     */
    public String format() {
        return format;
    }

    /**
     * Returns the name of the field that counts changes.
     *
     * @return the name
     */
    public String revisionField() {
        return revision;
    }

    /**
     * Returns the filter for a name, whatever the format of the document. For reads only.
     *
     * @param name the name of the lock
     * @return the filter
     */
    public static BsonDocument named(LockName name) {
        return document(ID, new BsonString(name.value()));
    }

    /**
     * Returns the filter for the names of a query, whatever the format of the documents.
     *
     * @param query the query
     * @return the filter
     */
    public static BsonDocument named(LockQuery query) {
        BsonDocument names = PrefixRange.startingWith(query.prefix());
        query.after().ifPresent(name -> names.append("$gt", new BsonString(name)));
        return document(ID, names);
    }

    /**
     * Returns the filter for a name and the format mark. Each write begins with it: a document of another strategy or
     * version is never changed. An upsert with this filter stores the mark, or fails on such a document with a
     * duplicate key.
     *
     * @param name the name of the lock
     * @return the filter
     */
    public BsonDocument filterFor(LockName name) {
        return named(name).append(FORMAT, new BsonString(format));
    }

    /**
     * Returns the filter for a lock document that stores this owner. The end of the lease is not checked: an expired
     * lease that was not taken over still matches.
     *
     * @param name the name of the lock
     * @param owner the owner
     * @param fencingToken the token of the grant, if known
     * @return the filter
     */
    public BsonDocument ownerFilter(LockName name, Owner owner, OptionalLong fencingToken) {
        BsonDocument filter = filterFor(name).append(OWNER, new BsonString(owner.stored()));
        fencingToken.ifPresent(token -> filter.append(FENCE, new BsonInt64(token)));
        return filter;
    }

    /**
     * Returns the expression for the token of the next grant.
     *
     * @return the expression
     */
    public BsonDocument nextToken() {
        return nextToken;
    }

    /**
     * Returns the fields that a grant sets.
     *
     * @param context the owner, the lock and the lease
     * @param token the token, an expression
     * @return the fields with their expressions
     */
    public BsonDocument grantFields(AcquireContext context, BsonValue token) {
        Duration ttl = context.ttl();
        BsonDocument fields = new BsonDocument(OWNER, literal(context.owner().stored()))
                .append(HOLDER, literal(context.holder().stored()))
                .append(FENCE, token)
                .append(ACQUIRED_AT, Expressions.NOW)
                .append(EXPIRES_AT, of(ttl).end())
                .append(LEASE_MILLIS, new BsonInt64(ttl.toMillis()))
                .append(revision, nextRevision);
        flag.ifPresent(field -> fields.append(field, BsonBoolean.TRUE));
        return fields;
    }

    /**
     * Returns the fields that a renewal sets. The end of the lease never moves back.
     *
     * @param ttl the length of the lease
     * @return the fields with their expressions
     */
    public BsonDocument renewalFields(Duration ttl) {
        return renewalFields(ttl, of(ttl).end());
    }

    /**
     * Returns the update that acquires the lock if it is free, extends the lease and keeps the token if the document
     * stores the same owner, even if that lease has expired, and changes nothing if another owner holds it. One stage
     * evaluates all of this on the document as it was; the owner in the resulting document is the holder.
     *
     * @param context the owner, the lock and the lease
     * @param token the token of a new grant, an expression
     * @return the update
     */
    public UpdateSpec acquireOrExtend(AcquireContext context, BsonValue token) {
        BsonArray branches = new BsonArray(List.of(
                branch(isOwner(context.owner()), of(context.ttl()).renewed()),
                branch(IS_FREE, Expressions.mergeIntoRoot(grantFields(context, token)))));
        return replacedBy(document("$switch", document("branches", branches).append("default", Expressions.ROOT)));
    }

    /**
     * Returns the update of a grant or renewal that replaces a document by an expression, removes {@code releasedAt}
     * and {@code forcedAt}, and computes {@code purgeAt} again where the schema has it.
     *
     * @param whole the expression, for example a {@code $switch}
     * @return the update
     */
    public UpdateSpec replacedBy(BsonDocument whole) {
        return held(document("$replaceWith", whole));
    }

    /**
     * Returns the update of a grant or renewal that sets fields, removes {@code releasedAt} and {@code forcedAt}, and
     * computes {@code purgeAt} again where the schema has it.
     *
     * @param fields the fields with their expressions, as {@link #grantFields} or {@link #renewalFields} return them
     * @return the update
     */
    public UpdateSpec set(BsonDocument fields) {
        return held(document("$set", fields));
    }

    /**
     * Returns the update that releases the lock and leaves the document, with its token, as a tombstone.
     *
     * @return the update
     */
    public UpdateSpec released() {
        return released;
    }

    /**
     * Returns the update that force-releases the lock and sets its token.
     *
     * @param token the new token, an expression
     * @return the update
     */
    public UpdateSpec forceReleased(BsonValue token) {
        return released(new BsonDocument(FENCE, token).append(FORCED_AT, Expressions.NOW));
    }

    /**
     * Returns the projection of the fields that are read, and of the server's time. From that time and
     * {@code expiresAt} the client computes how long the lease still lasts, and a waiter tries again then. If the
     * server omits the computed time (see {@link MongoOp.FindOneAndUpdate}), only this remaining time is unknown.
     *
     * @return the projection, immutable
     */
    public BsonDocument projection() {
        return projection;
    }

    /**
     * Reads a lock document.
     *
     * @param name the name of the lock
     * @param stored the document
     * @param revisionField the field that counts changes
     * @return the state of the lock
     */
    public static LockSnapshot snapshot(LockName name, BsonDocument stored, String revisionField) {
        Optional<Instant> expiresAt = date(stored, EXPIRES_AT);
        Optional<Duration> remaining = date(stored, NOW).flatMap(now -> expiresAt.map(end -> remaining(now, end)));
        return new LockSnapshot(
                name,
                owner(stored),
                number(stored, FENCE),
                number(stored, revisionField),
                date(stored, ACQUIRED_AT),
                expiresAt,
                Duration.ofMillis(number(stored, LEASE_MILLIS)),
                remaining,
                HolderInfo.ofStored(stored.get(HOLDER)),
                leaseId(stored));
    }

    /**
     * Returns the holder of a lock.
     *
     * @param stored a lock document
     * @return the stored owner, empty if there is none
     */
    public static Optional<String> owner(BsonDocument stored) {
        BsonValue value = stored.get(OWNER);
        return value != null && value.isString() ? Optional.of(value.asString().getValue()) : Optional.empty();
    }

    /**
     * Reads a whole number.
     *
     * @param stored a document
     * @param field the field
     * @return the number, zero if there is none
     */
    public static long number(BsonDocument stored, String field) {
        BsonValue value = stored.get(field);
        return value != null && value.isNumber() ? value.asNumber().longValue() : 0;
    }

    /**
     * Returns the reason of a loss, by the document that is stored now. A larger token was granted to another owner,
     * which may have released the lock since; without one no other owner is known to have held it.
     *
     * @param stored the lock document, if there is one
     * @param fencingToken the token of the grant that was lost
     * @return the reason
     */
    public static LossReason lossReason(Optional<BsonDocument> stored, long fencingToken) {
        if (stored.isEmpty()) {
            return LossReason.EXPIRED;
        }
        if (stored.get().containsKey(FORCED_AT)) {
            return LossReason.FORCED;
        }
        boolean isGranted = owner(stored.get()).isPresent() || number(stored.get(), FENCE) > fencingToken;
        return isGranted ? LossReason.TAKEN_OVER : LossReason.EXPIRED;
    }

    /** Returns the update that removes the owner and sets the given fields. */
    private UpdateSpec released(BsonDocument fields) {
        fields.append(EXPIRES_AT, Expressions.NOW)
                .append(RELEASED_AT, Expressions.NOW)
                .append(revision, nextRevision);
        flag.ifPresent(field -> fields.append(field, BsonBoolean.FALSE));
        return stages(fixed(document("$set", fields)), UNSET_HOLDER);
    }

    /** Returns the update that ends with the fields of an earlier release removed; a missing field is ignored. */
    private UpdateSpec held(BsonDocument first) {
        return stages(first, UNSET_RELEASE);
    }

    private TtlExpressions of(Duration ttl) {
        TtlExpressions known = latest;
        if (known == null || !known.ttl().equals(ttl)) {
            BsonDocument end = fixed(add(Expressions.NOW, new BsonInt64(ttl.toMillis())));
            known = new TtlExpressions(ttl, end, fixed(Expressions.mergeIntoRoot(renewalFields(ttl, end))));
            latest = known;
        }
        return known;
    }

    private BsonDocument renewalFields(Duration ttl, BsonDocument end) {
        return new BsonDocument(EXPIRES_AT, document("$max", new BsonArray(List.of(path(EXPIRES_AT), end))))
                .append(LEASE_MILLIS, new BsonInt64(ttl.toMillis()))
                .append(revision, nextRevision);
    }

    private UpdateSpec stages(BsonDocument first, BsonDocument second) {
        List<BsonDocument> stages = new ArrayList<>(2 + purge.size());
        stages.add(first);
        stages.add(second);
        stages.addAll(purge);
        return new UpdateSpec.Pipeline(stages);
    }

    /** Returns the expression that is true when an owner holds the lock. */
    private static BsonDocument isOwner(Owner owner) {
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

    /** Returns an immutable copy of an expression that is the same in every command; the driver copies its bytes. */
    private static BsonDocument fixed(BsonDocument expression) {
        return new RawBsonDocument(expression, CODEC);
    }

    private static BsonDocument unset(String... fields) {
        BsonArray names = Stream.of(fields).map(BsonString::new).collect(toCollection(BsonArray::new));
        return fixed(document("$unset", names));
    }

    private static BsonDocument plusOneOrNow() {
        return document("$max", new BsonArray(List.of(increment(FENCE), document("$toLong", Expressions.NOW))));
    }

    private static BsonDocument purgeAt(Duration grace) {
        return fixed(document("$set", document(PURGE_AT, add(path(EXPIRES_AT), new BsonInt64(grace.toMillis())))));
    }

    /** Returns the projection of the fields of a lock and of the server's time. */
    private static BsonDocument projectionWith(String revision) {
        BsonDocument fields = new BsonDocument();
        FIELDS_READ.forEach(field -> fields.append(field, new BsonInt32(1)));
        return fields.append(revision, new BsonInt32(1)).append(NOW, Expressions.NOW);
    }

    private static BsonDocument branch(BsonValue condition, BsonValue then) {
        return document("case", condition).append("then", then);
    }

    private static OptionalLong leaseId(BsonDocument stored) {
        BsonValue value = stored.get(LEASE_ID);
        return value != null && value.isNumber()
                ? OptionalLong.of(value.asNumber().longValue())
                : OptionalLong.empty();
    }

    private static Optional<Instant> date(BsonDocument stored, String field) {
        BsonValue value = stored.get(field);
        return value != null && value.isDateTime()
                ? Optional.of(Instant.ofEpochMilli(value.asDateTime().getValue()))
                : Optional.empty();
    }

    private static Duration remaining(Instant now, Instant end) {
        Duration left = Duration.between(now, end);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
