package org.mongolocks.strategy.findandmodifycounter;

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
 * A strategy that acquires by one {@code findAndModify}: the server evaluates and updates the lock in one command, and
 * a counter in the document is the token. One round trip, whether the lock is free or held, and one or two more if that
 * has changed since this client saw it.
 *
 * <p>The document of a held lock; a release removes {@code owner} and {@code holder},
 * renames {@code next} to {@code turn}, and sets {@code releasedAt}:
 *
 * <pre>{@code
 * {
 *   _id: "invoices",
 *   format: "findandmodify-counter/3",
 *   owner: "worker-1/2f6c0c1e-8d5e-4b52-9d3c-0a6c1c1f7e55",
 *   holder: {host: "batch-7", pid: NumberLong(4711), thread: "main", note: "nightly run"},
 *   fence: NumberLong(1767323045678),                   // the counter: the server's milliseconds, then incremented
 *   acquiredAt: ISODate("2026-01-02T03:04:05.678Z"),
 *   renewedAt: ISODate("2026-01-02T03:04:05.678Z"),   // the start of the lease
 *   leaseMs: NumberLong(30000),                         // it ends so much later
 *   rev: NumberLong(97),                                // incremented by each change
 *   waiting: [NumberLong(17), NumberLong(4)],           // the waiters, and the first four of them: only while there
 *   next: [NumberLong(17), NumberLong(4)]               // are any, see LeaseDocumentStrategy
 * }
 * }</pre>
 *
 * To acquire:
 *
 * <ol>
 *   <li>Acquire or extend: {@code findAndModify {_id, format}} with upsert, and a {@code $switch} on the document as it
 *       is. Own lease: extend it and keep the token. Free or expired, and no waiter comes first: acquire and increment
 *       the counter. Else: change the entry of the waiter, if a waiter attempts. The owner in the returned document is
 *       the holder, and the server's time beside it shows how long the lease lasts.
 *   <li>After a duplicate key (a concurrent attempt has created the document, or it has another format): the same
 *       without upsert, on the name alone. A document of another format is not changed, and refused by its format in
 *       the reply. No document: back to 1, once.
 * </ol>
 * A client that last saw the lock released begins with a cheaper command: {@code findAndModify {_id, format, owner:
 * null, waiting: {$exists: false}}} by plain operators, which increments the counter. If that matches nothing, or if
 * the client last saw the lock held, it reads: {@code find {_id}}. Held by another owner: contended. No document: 1.
 * Else 2. A waiter that saw it held, or was notified of the release, begins with 2. To renew, release, inspect, list
 * and force-release: one command each, see {@link LeaseDocumentStrategy}.
 *
 * <p>Traits: server clock, strict fencing. Index: TTL on {@code renewedAt}, 48 hours, which only cleans up. A contended
 * attempt that changes nothing writes nothing, but waits like a write until a majority has the newest entry of the
 * oplog.
 *
 * <p>Known weakness: tokens go back if the server's clock is set back by more than 24 hours, see
 * {@link LeaseDocumentStrategy}.
 */
public final class FindAndModifyCounterStrategy extends LeaseDocumentStrategy {
    /** Creates the strategy, usually through {@link java.util.ServiceLoader}. */
    public FindAndModifyCounterStrategy() {
        super("findandmodify-counter", LeaseDocument.withFormat("findandmodify-counter/3"));
    }

    @Override
    public Set<Trait> traits() {
        return Set.of(Trait.SERVER_CLOCK, Trait.STRICT_FENCING);
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        return acquireBy(context, () -> acquireOrExtend(context));
    }

    private MongoOp acquireOrExtend(AcquireContext context) {
        return new MongoOp.FindOneAndUpdate(
                label("acquire-or-extend"),
                LOCKS,
                document().filterFor(context.name()),
                updates().acquireOrExtend(context, updates().nextToken()),
                true,
                projectionFor(context));
    }
}
