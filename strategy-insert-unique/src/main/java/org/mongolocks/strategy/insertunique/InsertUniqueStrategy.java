package org.mongolocks.strategy.insertunique;

import static org.mongolocks.spi.Expressions.NOW;
import static org.mongolocks.spi.Expressions.ifNull;
import static org.mongolocks.spi.Expressions.literal;
import static org.mongolocks.spi.Expressions.path;
import static org.mongolocks.spi.LockSchema.LOCKS;
import static org.mongolocks.spi.LockSchema.LockFields.ACQUIRED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.FENCE;
import static org.mongolocks.spi.LockSchema.LockFields.HOLDER;
import static org.mongolocks.spi.LockSchema.LockFields.RENEWED_AT;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.bson.BsonDocument;
import org.mongolocks.LockRequest;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Expressions;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.LockSchema.TtlIndex;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.lease.LeaseDocument;
import org.mongolocks.spi.lease.LeaseDocumentStrategy;

/**
 * A strategy that acquires by the unique {@code _id}: of all concurrent inserts of one name, one succeeds. Unused
 * documents are deleted automatically, so any number of names may be locked over time.
 *
 * <p>The document of a held lock; a release removes {@code owner} and {@code holder}, renames {@code next} to
 * {@code turn}, and sets {@code releasedAt}, and the document stays as a tombstone that keeps the token:
 *
 * <pre>{@code
 * {
 *   _id: "invoice-4711",
 *   format: "insert-unique/3",
 *   owner: "worker-1/2f6c0c1e-8d5e-4b52-9d3c-0a6c1c1f7e55",
 *   holder: {host: "batch-7", pid: NumberLong(4711), thread: "main", note: "nightly run"},
 *   fence: NumberLong(1767323045678),                   // the server's milliseconds, then incremented by each grant
 *   acquiredAt: ISODate("2026-01-02T03:04:05.678Z"),
 *   renewedAt: ISODate("2026-01-02T03:04:05.678Z"),   // the start of the lease
 *   leaseMs: NumberLong(30000),                         // it ends so much later
 *   rev: NumberLong(1),                                 // incremented by each change
 *   waiting: [NumberLong(17), NumberLong(4)],           // the waiters, and the first four of them: only while there
 *   next: [NumberLong(17), NumberLong(4)]               // are any, see LeaseDocumentStrategy
 * }
 * }</pre>
 *
 * To acquire:
 *
 * <ol>
 *   <li>Insert: {@code findAndModify {_id, format, owner: me}} with upsert. No document: it is inserted, and the lock
 *       is acquired. The owner's own document, from an attempt whose reply was lost: the lease is extended, the token
 *       kept. Any other document: duplicate key.
 *   <li>Acquire or extend, after a duplicate key: {@code findAndModify {_id}} with a {@code $switch} on the document as
 *       it is: own lease: extend it and keep the token; free or expired, and no waiter comes first: acquire; else
 *       change the entry of the waiter, if a waiter attempts. The owner in the returned document is the holder, and the
 *       server's time beside it shows how long the lease lasts. A document of another format is not changed, and
 *       refused by its format in the reply. No document, because it was cleaned up: back to 1, once.
 * </ol>
 * A client that last saw the lock released begins with a cheaper command, because a document exists: {@code
 * findAndModify {_id, format, owner: null, waiting: {$exists: false}}} by plain operators, which increments the token.
 * If that matches nothing, or if the client last saw the lock held, it reads: {@code find {_id}}. Held by another
 * owner: contended. No document: 1. Else 2. A waiter that saw it held, or was notified of the release, begins with 2.
 * To renew, release, inspect, list and force-release: one command each, see {@link LeaseDocumentStrategy}.
 *
 * <p>Traits: server clock, strict fencing, self-cleaning. Round trips: 1 for a name without a document, 2 when a
 * tombstone or a holder exists that the client has not seen, 1 from then on; 2 for a client that last saw the lock held
 * and finds it free, or last saw it released and finds it held, 3 if that lease has ended. Index: TTL on {@code
 * renewedAt}, 48 hours, which only cleans up; expiry never depends on it. The longest lease has 24 hours, so a document
 * is deleted at least 24 hours after the end of its lease.
 *
 * <p>Known weakness: after a clean-up the tokens continue from the server's clock. They would go back if that clock
 * were set back by more than the 24 hours for which a tombstone is kept, or if one lock was granted more than a
 * thousand times a second for all the time that its document existed.
 */
public final class InsertUniqueStrategy extends LeaseDocumentStrategy {
    /** The longest lease, and a time much longer than any two server clocks may differ. */
    private static final Duration KEPT_FOR = LockRequest.MAX_TTL.plusHours(24);

    /** Creates the strategy, usually through {@link java.util.ServiceLoader}. */
    public InsertUniqueStrategy() {
        super("insert-unique", LeaseDocument.withFormat("insert-unique/3").withTokensFromServerTime());
    }

    @Override
    public Set<Trait> traits() {
        return Set.of(Trait.SERVER_CLOCK, Trait.STRICT_FENCING, Trait.SELF_CLEANING);
    }

    @Override
    public LockSchema schema() {
        return new LockSchema(List.of(new LockCollection(LOCKS, Optional.of(new TtlIndex(RENEWED_AT, KEPT_FOR)))));
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        return acquireBy(context, () -> insert(context));
    }

    private MongoOp insert(AcquireContext context) {
        BsonDocument own = document().ownerFilter(context.name(), context.owner(), OptionalLong.empty());
        BsonDocument fields = updates()
                .extendedFields(context.ttl())
                .append(HOLDER, literal(context.holderInfo().stored()))
                .append(FENCE, ifNull(path(FENCE), Expressions.document("$toLong", NOW)))
                .append(ACQUIRED_AT, ifNull(path(ACQUIRED_AT), NOW));
        UpdateSpec inserted = UpdateSpec.pipeline(Expressions.document("$set", fields));
        return new MongoOp.FindOneAndUpdate(label("insert"), LOCKS, own, inserted, true);
    }
}
