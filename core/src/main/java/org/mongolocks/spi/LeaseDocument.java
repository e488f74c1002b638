package org.mongolocks.spi;

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

/**
 * Describes the lock document of a strategy, and gives the parts of the commands that judge and change it.
 *
 * <p>Whatever differs between strategies is said once, by {@link #withFlag}, {@link #withRevision} and
 * {@link #purgedAfter}. All time is the server's ({@code $$NOW}). Parts that are the same in every command are shared, and
 * refuse to be changed.
 */
public final class LeaseDocument {
    private final String format;
    private final String revision;
    private final Optional<String> flag;
    private final Optional<Duration> purgeGrace;
    private final LeaseParts parts;

    private LeaseDocument(String format, String revision, Optional<String> flag, Optional<Duration> purgeGrace) {
        this.format = format;
        this.revision = revision;
        this.flag = flag;
        this.purgeGrace = purgeGrace;
        this.parts = new LeaseParts(revision, flag, purgeGrace);
    }

    /**
     * Makes the plain document: see {@link LockFields}.
     *
     * @param format the mark of each such document: the name of the strategy, a slash and a version that grows when
     *     clients of before cannot read it any more
     * @return its description
     */
    public static LeaseDocument marked(String format) {
        return new LeaseDocument(format, REVISION, Optional.empty(), Optional.empty());
    }

    /**
     * Adds a field that is true while the lock was given to somebody and false when it was given back.
     *
     * @param field the name of the flag
     * @return the description with the flag
     */
    public LeaseDocument withFlag(String field) {
        return new LeaseDocument(format, revision, Optional.of(field), purgeGrace);
    }

    /**
     * Gives the field that counts changes another name.
     *
     * @param field the name
     * @return the description with that name
     */
    public LeaseDocument withRevision(String field) {
        return new LeaseDocument(format, field, flag, purgeGrace);
    }

    /**
     * Adds the date after which an unused document may go. The tokens of such a document follow the server's clock, so
     * that they go on growing when the document is created anew.
     *
     * @param grace how long after its end of lease or its release; far more than any two server clocks may differ
     * @return the description with the date
     */
    public LeaseDocument purgedAfter(Duration grace) {
        return new LeaseDocument(format, revision, flag, Optional.of(grace));
    }

    /**
     * Gives the mark of each document.
     *
     * @return the mark
     */
    public String format() {
        return format;
    }

    /**
     * Gives the name of the field that counts changes.
     *
     * @return the name
     */
    public String revisionField() {
        return revision;
    }

    /**
     * Selects a lock by its name, whatever its document is. For looking only.
     *
     * @param name what is locked
     * @return the filter
     */
    public static BsonDocument named(LockName name) {
        return document(ID, new BsonString(name.value()));
    }

    /**
     * Selects the names that a query asks for, whatever their documents are.
     *
     * @param query which locks
     * @return the filter
     */
    public static BsonDocument named(LockQuery query) {
        BsonDocument names = TextRange.startingWith(query.prefix());
        query.after().ifPresent(name -> names.append("$gt", new BsonString(name)));
        return document(ID, names);
    }

    /**
     * Selects a lock by its name if its document has the mark. Each change begins with this: a document of another
     * strategy or version is never changed. An upsert with this filter stores the mark, or meets such a document as a
     * duplicate key.
     *
     * @param name what is locked
     * @return the filter
     */
    public BsonDocument own(LockName name) {
        return named(name).append(FORMAT, new BsonString(format));
    }

    /**
     * Selects a lock while an owner has it.
     *
     * @param name what is locked
     * @param owner the owner
     * @param fencingToken the token of the grant, if known
     * @return the filter
     */
    public BsonDocument heldBy(LockName name, Owner owner, OptionalLong fencingToken) {
        BsonDocument filter = own(name).append(OWNER, new BsonString(owner.stored()));
        fencingToken.ifPresent(token -> filter.append(FENCE, new BsonInt64(token)));
        return filter;
    }

    /**
     * Gives the token of the next grant.
     *
     * @return the expression
     */
    public BsonDocument nextToken() {
        return parts.nextToken();
    }

    /**
     * Sets what a grant sets.
     *
     * @param context who gets the lock, and for how long
     * @param token the token, an expression
     * @return the fields with their expressions
     */
    public BsonDocument granted(AcquireContext context, BsonValue token) {
        Duration ttl = context.ttl();
        BsonDocument fields = new BsonDocument(OWNER, literal(context.owner().stored()))
                .append(HOLDER, literal(StoredHolder.of(context.holder())))
                .append(FENCE, token)
                .append(ACQUIRED_AT, Expressions.NOW)
                .append(EXPIRES_AT, parts.endOf(ttl))
                .append(LEASE_MILLIS, new BsonInt64(ttl.toMillis()))
                .append(revision, parts.nextRevision());
        flag.ifPresent(field -> fields.append(field, BsonBoolean.TRUE));
        return fields;
    }

    /**
     * Sets what a renewal sets. The end of the lease never moves back.
     *
     * @param ttl the length of the lease
     * @return the fields with their expressions
     */
    public BsonDocument extended(Duration ttl) {
        return parts.extended(ttl);
    }

    /**
     * Takes the lock if it is free, extends the lease if the owner has it already, and changes nothing if another has
     * it. All is judged in one stage, on the document as it was; the owner in the document that comes of it tells who
     * has the lock.
     *
     * @param context who asks, and for how long
     * @param token the token of a new grant, an expression
     * @return the change
     */
    public Change takenOrKept(AcquireContext context, BsonValue token) {
        BsonArray branches = new BsonArray(List.of(
                branch(LeaseConditions.isMine(context.owner()), parts.kept(context.ttl())),
                branch(LeaseConditions.IS_FREE, Expressions.rootWith(granted(context, token)))));
        return replacedBy(document("$switch", document("branches", branches).append("default", Expressions.ROOT)));
    }

    /**
     * Changes a document by an expression for the whole of it, and keeps the rest of the document true to it.
     *
     * @param whole the expression, for example a {@code $switch}
     * @return the change
     */
    public Change replacedBy(BsonDocument whole) {
        return parts.held(document("$replaceWith", whole));
    }

    /**
     * Changes a document by setting fields, and keeps the rest of the document true to them.
     *
     * @param fields the fields with their expressions, as {@link #granted} or {@link #extended} give them
     * @return the change
     */
    public Change setting(BsonDocument fields) {
        return parts.held(document("$set", fields));
    }

    /**
     * Gives the lock back and leaves the document, with its token, as a tombstone.
     *
     * @return the change
     */
    public Change released() {
        return parts.released();
    }

    /**
     * Forces the lock free and counts its token up.
     *
     * @param token the new token, an expression
     * @return the change
     */
    public Change forcedFree(BsonValue token) {
        return parts.freed(new BsonDocument(FENCE, token).append(FORCED_AT, Expressions.NOW));
    }

    /**
     * Forces the lock free and sets its token.
     *
     * @param floor the new token; the filter selects documents with smaller ones
     * @return the change
     */
    public Change raised(long floor) {
        return forcedFree(new BsonInt64(floor));
    }

    /**
     * Asks for the fields that are read, and for the server's time. With the time, an answer that another has the lock
     * tells when the lease ends, and whoever waits asks again then. Without it (see {@link MongoOp.FindOneAndUpdate}) only
     * that is unknown.
     *
     * @return the projection, which refuses to be changed
     */
    public BsonDocument projection() {
        return parts.projection();
    }

    private static BsonDocument branch(BsonValue condition, BsonValue then) {
        return document("case", condition).append("then", then);
    }
}
