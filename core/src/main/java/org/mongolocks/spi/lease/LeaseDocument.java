package org.mongolocks.spi.lease;

import static org.mongolocks.spi.Expressions.document;
import static org.mongolocks.spi.LockSchema.LockFields.ACQUIRED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.FENCE;
import static org.mongolocks.spi.LockSchema.LockFields.FORCED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.FORMAT;
import static org.mongolocks.spi.LockSchema.LockFields.HOLDER;
import static org.mongolocks.spi.LockSchema.LockFields.ID;
import static org.mongolocks.spi.LockSchema.LockFields.LEASE_ID;
import static org.mongolocks.spi.LockSchema.LockFields.LEASE_MILLIS;
import static org.mongolocks.spi.LockSchema.LockFields.NEXT;
import static org.mongolocks.spi.LockSchema.LockFields.NOW;
import static org.mongolocks.spi.LockSchema.LockFields.OWNER;
import static org.mongolocks.spi.LockSchema.LockFields.PASSED;
import static org.mongolocks.spi.LockSchema.LockFields.RELEASED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.RENEWED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.REVISION;
import static org.mongolocks.spi.LockSchema.LockFields.TURN;
import static org.mongolocks.spi.LockSchema.LockFields.WAITING;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Expressions;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.LockSchema.TtlIndex;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.lease.ListProgram.PrefixRange;

/**
 * The schema of a strategy's lock document, with the filters of the commands on it and the fields that they read.
 * {@link LeaseUpdates} has the updates, {@link LeaseReader} reads it.
 *
 * <p>{@link #withFlag}, {@link #withTokensFromRevision} and {@link #withLeaseIds} configure the differences between
 * strategies.
 *
 * <p>Unless it has lease ids, a document that was not used for 48 hours is deleted by the server, see
 * {@link #unusedIndex}. The first token of a new document is the server's time in milliseconds, so that it is larger than
 * every token of a document that was deleted before.
 */
public final class LeaseDocument {
    private static final TtlIndex UNUSED = new TtlIndex(RENEWED_AT, LockRequest.MAX_TTL.plusHours(24));
    private static final List<String> FIELDS_READ =
            List.of(FORMAT, OWNER, HOLDER, FENCE, ACQUIRED_AT, RENEWED_AT, LEASE_MILLIS, RELEASED_AT, FORCED_AT);

    private final String format;
    private final String revision;
    private final Optional<String> flag;
    private final boolean hasLeaseIds;
    private final LeaseUpdates updates;
    private final BsonDocument projection;
    private final BsonDocument projectionWithCount;

    private LeaseDocument(String format, String revision, Optional<String> flag, boolean hasLeaseIds) {
        this.format = format;
        this.revision = revision;
        this.flag = flag;
        this.hasLeaseIds = hasLeaseIds;
        this.updates = new LeaseUpdates(format, revision, flag, hasLeaseIds);
        this.projection = LeaseUpdates.fixed(projectionWith(revision, hasLeaseIds));
        this.projectionWithCount = LeaseUpdates.fixed(WaitingList.counted(projection));
    }

    /**
     * Returns the plain schema: see {@link LockFields}.
     *
     * @param format the mark of each such document: the name of the strategy, a slash and a version that is raised when
     *     earlier clients can no longer read it
     * @return the schema
     */
    public static LeaseDocument withFormat(String format) {
        return new LeaseDocument(format, REVISION, Optional.empty(), false);
    }

    /**
     * Adds a field that is true while the lock is held and false after its release.
     *
     * @param field the name of the flag
     * @return the schema with the flag
     */
    public LeaseDocument withFlag(String field) {
        return new LeaseDocument(format, revision, Optional.of(field), hasLeaseIds);
    }

    /**
     * Takes the tokens from the field that counts changes, and renames it: the token of a grant is the revision that
     * the grant makes, see {@link LeaseUpdates#granted(AcquireContext, long)}.
     *
     * @param field the name
     * @return the schema with that name
     */
    public LeaseDocument withTokensFromRevision(String field) {
        return new LeaseDocument(format, field, flag, hasLeaseIds);
    }

    /**
     * Adds a number that is new with each grant and renewal, for a strategy that compares no clocks: the start of the
     * lease on the holder's own clock. Two writes of one holder with the same number belong to one lease with one
     * start. Renewals are then plain operators too, {@code leaseMs} never decreases during a grant, and all dates are for
     * operators of the database only: tokens begin at 1, and no document is deleted.
     *
     * @return the schema with that number
     */
    public LeaseDocument withLeaseIds() {
        return new LeaseDocument(format, revision, flag, true);
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
     * Returns the index by which the server deletes a document 48 hours after its {@code renewedAt}. The longest lease has
     * 24 hours, so that is at least 24 hours after the end of the newest lease. It only cleans up: no lease ends by it.
     *
     * @return the index; empty if the schema has lease ids, because then no clock of a server is trusted
     */
    public Optional<TtlIndex> unusedIndex() {
        return hasLeaseIds ? Optional.empty() : Optional.of(UNUSED);
    }

    /**
     * Returns the updates of such a document.
     *
     * @return the updates
     */
    public LeaseUpdates updates() {
        return updates;
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
     * Returns the filter for a name, whatever the format of the document: for reads, and for {@link LeaseUpdates#acquireOrExtend}
     * without upsert. All other writes need {@link #filterFor}.
     *
     * @param name the name of the lock
     * @return the filter
     */
    public static BsonDocument named(LockName name) {
        return new BsonDocument(ID, new BsonString(name.value()));
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
     * Returns the filter for a name and the format mark. Each write begins with it, except for {@link LeaseUpdates#acquireOrExtend},
     * which compares the mark itself: a document of another strategy or version is never changed. An upsert with this
     * filter stores the mark, or fails on such a document with a duplicate key.
     *
     * @param name the name of the lock
     * @return the filter
     */
    public BsonDocument filterFor(LockName name) {
        return named(name).append(FORMAT, new BsonString(format));
    }

    /**
     * Returns the filter for an upsert that creates a document, by {@link LeaseUpdates#created}: no document has the
     * revision 0, so that one with the name results in a duplicate key.
     *
     * @param name the name of the lock
     * @return the filter
     */
    public BsonDocument missingFilter(LockName name) {
        return filterFor(name).append(revision, new BsonInt64(0));
    }

    /**
     * Returns the filter for a lock document that stores this owner. The end of the lease is not checked: an expired lease
     * that was not taken over still matches.
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
     * Returns the filter for the document of a lock that was released and for which nobody waits: its flag is false if the
     * schema has one, else it stores no owner.
     *
     * @param name the name of the lock
     * @return the filter
     */
    public BsonDocument releasedFilter(LockName name) {
        BsonDocument filter = filterFor(name);
        return withoutWaiting(
                flag.isPresent() ? filter.append(flag.get(), BsonBoolean.FALSE) : filter.append(OWNER, BsonNull.VALUE));
    }

    /** Returns the filter for a lock in whose list a waiter is, or was until it was passed. */
    BsonDocument listedFilter(LockName name, long number) {
        BsonInt64 own = new BsonInt64(number);
        return filterFor(name)
                .append("$or", new BsonArray(List.of(new BsonDocument(WAITING, own), new BsonDocument(PASSED, own))));
    }

    /**
     * Adds to a filter that nobody waits for the lock: as each update by operators that grants it needs, since only
     * {@link LeaseUpdates#acquireOrExtend} observes and changes the list.
     *
     * @param filter a filter for a lock document, which is changed
     * @return the filter
     */
    public BsonDocument withoutWaiting(BsonDocument filter) {
        return filter.append(WAITING, new BsonDocument("$exists", BsonBoolean.FALSE));
    }

    /**
     * Returns the projection of the fields that are read, and of the server's time. From that time, {@code renewedAt}
     * and {@code leaseMs} the client computes how long the lease still lasts, and a waiter tries again then. If the
     * server omits the computed time (see {@link MongoOp.FindOneAndUpdate}), only this remaining time is unknown.
     * Of the list of waiters, the first four are read, which the document stores in a field of their own.
     *
     * @return the projection, immutable
     */
    public BsonDocument projection() {
        return projection;
    }

    /** Returns the projection with the number of all waiters, immutable. */
    BsonDocument projectionWithCount() {
        return projectionWithCount;
    }

    /** Returns the projection with the position of a waiter. */
    BsonDocument projectionFor(long number) {
        return WaitingList.located(projection, number);
    }

    /** Returns the projection of the fields of a lock and of the server's time. */
    private static BsonDocument projectionWith(String revision, boolean hasLeaseIds) {
        BsonDocument fields = new BsonDocument();
        FIELDS_READ.forEach(field -> fields.append(field, new BsonInt32(1)));
        if (hasLeaseIds) {
            fields.append(LEASE_ID, new BsonInt32(1));
        }
        return fields.append(revision, new BsonInt32(1))
                .append(NOW, Expressions.NOW)
                .append(NEXT, new BsonInt32(1))
                .append(TURN, new BsonInt32(1));
    }
}
