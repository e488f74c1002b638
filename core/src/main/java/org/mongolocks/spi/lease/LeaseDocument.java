package org.mongolocks.spi.lease;

import static org.mongolocks.spi.Expressions.document;
import static org.mongolocks.spi.Expressions.literal;
import static org.mongolocks.spi.LockFields.ACQUIRED_AT;
import static org.mongolocks.spi.LockFields.EXPIRES_AT;
import static org.mongolocks.spi.LockFields.FENCE;
import static org.mongolocks.spi.LockFields.FORCED_AT;
import static org.mongolocks.spi.LockFields.FORMAT;
import static org.mongolocks.spi.LockFields.HOLDER;
import static org.mongolocks.spi.LockFields.ID;
import static org.mongolocks.spi.LockFields.LEASE_MILLIS;
import static org.mongolocks.spi.LockFields.OWNER;
import static org.mongolocks.spi.LockFields.REVISION;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Expressions;
import org.mongolocks.spi.LockFields;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.UpdateSpec;

/**
 * The schema of a strategy's lock document, with the filters and updates of the commands on it.
 *
 * <p>{@link #withFlag}, {@link #withRevision} and {@link #purgedAfter} configure the differences between strategies.
 * All time is the server's ({@code $$NOW}). Expressions that are the same in every command are shared and immutable.
 */
public final class LeaseDocument {
    private final String format;
    private final String revision;
    private final Optional<String> flag;
    private final Optional<Duration> purgeGrace;
    private final LeaseExpressions expressions;

    private LeaseDocument(String format, String revision, Optional<String> flag, Optional<Duration> purgeGrace) {
        this.format = format;
        this.revision = revision;
        this.flag = flag;
        this.purgeGrace = purgeGrace;
        this.expressions = new LeaseExpressions(revision, flag, purgeGrace);
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
     * Adds the date after which an unused document may be deleted. The tokens of such a document follow the server's
     * clock, so that they keep growing when the document is created again.
     *
     * @param grace how long after the end of the lease or the release; much longer than any two server clocks may
     *     differ
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
     * Returns the filter for a lock while an owner holds it.
     *
     * @param name the name of the lock
     * @param owner the owner
     * @param fencingToken the token of the grant, if known
     * @return the filter
     */
    public BsonDocument heldBy(LockName name, Owner owner, OptionalLong fencingToken) {
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
        return expressions.nextToken();
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
                .append(HOLDER, literal(HolderInfoCodec.of(context.holder())))
                .append(FENCE, token)
                .append(ACQUIRED_AT, Expressions.NOW)
                .append(EXPIRES_AT, expressions.endOf(ttl))
                .append(LEASE_MILLIS, new BsonInt64(ttl.toMillis()))
                .append(revision, expressions.nextRevision());
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
        return expressions.renewalFields(ttl);
    }

    /**
     * Returns the update that acquires the lock if it is free, extends the lease if the owner holds it already, and
     * changes nothing if another owner holds it. One stage evaluates all of this on the document as it was; the owner
     * in the resulting document is the holder.
     *
     * @param context the owner, the lock and the lease
     * @param token the token of a new grant, an expression
     * @return the update
     */
    public UpdateSpec acquireOrExtend(AcquireContext context, BsonValue token) {
        BsonArray branches = new BsonArray(List.of(
                branch(LeaseExpressions.isOwner(context.owner()), expressions.renewed(context.ttl())),
                branch(LeaseExpressions.IS_FREE, Expressions.mergeIntoRoot(grantFields(context, token)))));
        return replacedBy(document("$switch", document("branches", branches).append("default", Expressions.ROOT)));
    }

    /**
     * Returns the update that replaces a document by an expression, and keeps the remaining fields consistent with it.
     *
     * @param whole the expression, for example a {@code $switch}
     * @return the update
     */
    public UpdateSpec replacedBy(BsonDocument whole) {
        return expressions.held(document("$replaceWith", whole));
    }

    /**
     * Returns the update that sets fields, and keeps the remaining fields consistent with them.
     *
     * @param fields the fields with their expressions, as {@link #grantFields} or {@link #renewalFields} return them
     * @return the update
     */
    public UpdateSpec set(BsonDocument fields) {
        return expressions.held(document("$set", fields));
    }

    /**
     * Returns the update that releases the lock and leaves the document, with its token, as a tombstone.
     *
     * @return the update
     */
    public UpdateSpec released() {
        return expressions.released();
    }

    /**
     * Returns the update that force-releases the lock and sets its token.
     *
     * @param token the new token, an expression
     * @return the update
     */
    public UpdateSpec forceReleased(BsonValue token) {
        return expressions.released(new BsonDocument(FENCE, token).append(FORCED_AT, Expressions.NOW));
    }

    /**
     * Returns the projection of the fields that are read, and of the server's time. With that time, a reply which shows
     * another holder also shows when the lease ends, and a waiter makes its next attempt then. Without it (see
     * {@link MongoOp.FindOneAndUpdate}) only that time is unknown.
     *
     * @return the projection, immutable
     */
    public BsonDocument projection() {
        return expressions.projection();
    }

    private static BsonDocument branch(BsonValue condition, BsonValue then) {
        return document("case", condition).append("then", then);
    }
}
