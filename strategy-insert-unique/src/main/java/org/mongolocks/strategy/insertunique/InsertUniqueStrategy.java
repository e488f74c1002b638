package org.mongolocks.strategy.insertunique;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.Set;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.lease.LeaseDocument;
import org.mongolocks.spi.lease.LeaseDocumentStrategy;

/**
 * A strategy that acquires by the unique {@code _id}: of all concurrent inserts of one name, one succeeds.
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
 *   <li>Insert: {@code findAndModify {_id, format, rev: 0}} with upsert and a pipeline, which matches no document. No
 *       document with the name: it is inserted, and the lock is acquired. Else: duplicate key.
 *   <li>Acquire or extend, after a duplicate key: {@code findAndModify {_id}} with a {@code $switch} on the document as
 *       it is. Own lease: extend it and keep the token. Free or expired, and no waiter comes first: acquire. Else:
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
 * <p>Traits: server clock, strict fencing. Index: TTL on {@code renewedAt}, 48 hours, which only cleans up.
 *
 * <table>
 * <caption>Round trips of an attempt</caption>
 * <tr><th>the client last saw</th><th>the lock is free</th><th>held</th><th>its lease has ended</th></tr>
 * <tr><td>nothing</td><td>1 without a document, else 2</td><td>2</td><td>2</td></tr>
 * <tr><td>a release</td><td>1</td><td>2</td><td>3</td></tr>
 * <tr><td>a holder</td><td>2</td><td>1</td><td>2</td></tr>
 * </table>
 *
 * <p>Known weakness: tokens go back if the server's clock is set back by more than 24 hours, see
 * {@link LeaseDocumentStrategy}.
 */
public final class InsertUniqueStrategy extends LeaseDocumentStrategy {
    /** Creates the strategy, usually through {@link java.util.ServiceLoader}. */
    public InsertUniqueStrategy() {
        super("insert-unique", LeaseDocument.withFormat("insert-unique/3"));
    }

    @Override
    public Set<Trait> traits() {
        return Set.of(Trait.SERVER_CLOCK, Trait.STRICT_FENCING);
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        return acquireBy(context, () -> insert(context));
    }

    private MongoOp insert(AcquireContext context) {
        return new MongoOp.FindOneAndUpdate(
                label("insert"),
                LOCKS,
                document().missingFilter(context.name()),
                updates().created(context),
                true);
    }
}
