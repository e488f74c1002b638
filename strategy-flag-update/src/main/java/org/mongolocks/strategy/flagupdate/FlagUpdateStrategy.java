package org.mongolocks.strategy.flagupdate;

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
 * A strategy that acquires by setting a flag: {@code locked} changes from false to true, once. An operator who reads
 * the collection sees at a glance which locks were acquired.
 *
 * <p>The document of a held lock; a release sets {@code locked} to false, removes {@code owner} and {@code holder},
 * renames {@code next} to {@code turn}, and sets {@code releasedAt}. After a crash {@code locked} stays true: the lock
 * is free nevertheless once {@code leaseMs} have passed since {@code renewedAt}.
 *
 * <pre>{@code
 * {
 *   _id: "invoices",
 *   format: "flag-update/3",
 *   locked: true,
 *   owner: "worker-1/2f6c0c1e-8d5e-4b52-9d3c-0a6c1c1f7e55",
 *   holder: {host: "batch-7", pid: NumberLong(4711), thread: "main", note: "nightly run"},
 *   fence: NumberLong(1767323045678),                   // the server's milliseconds, then incremented by each grant
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
 *   <li>Set the flag: {@code findAndModify {_id, format, locked: false, waiting: {$exists: false}}} with upsert, by a
 *       pipeline, which acquires the lock with the next token. A released document is updated, a missing one inserted; a document with the flag set, that others wait for, or of another format, results in a duplicate
 *       key.
 *   <li>Acquire or extend, after a duplicate key: {@code findAndModify {_id}} with a {@code $switch} on the document as
 *       it is. Own lease: extend it and keep the token. Free or expired, and no waiter comes first: acquire. Else:
 *       change the entry of the waiter, if a waiter attempts. The owner in the returned document is the holder, and the
 *       server's time beside it shows how long the lease lasts. A document of another format is not changed, and
 *       refused by its format in the reply. No document, because it was deleted: back to 1, once.
 * </ol>
 * A client that last saw the lock released begins with 1 by plain operators, without upsert. If that matches nothing, or if the client last
 * saw the lock held, it reads: {@code find {_id}}. Held by another owner: contended. No document: 1. Else 2. A waiter
 * that saw it held, or was notified of the release, begins with 2. To renew, release, inspect, list and force-release:
 * one command each, see {@link LeaseDocumentStrategy}.
 *
 * <p>Traits: server clock, strict fencing. Round trips: 1 if the lock was never used or was released, 2 if it is held
 * or has expired. 1 for a waiter, or for a client that last saw it held; 2 for such a client if it was released since.
 * 3 if the client last saw it released and another owner's lease has ended meanwhile. Index: TTL on {@code renewedAt},
 * 48 hours, which only cleans up.
 *
 * <p>Known weakness: the flag can be changed by hand. If an operator sets {@code locked} to false, the next owner that
 * asks acquires the held lock, while its holder continues until its next renewal; use a forced release. Tokens go back
 * if the server's clock is set back by more than 24 hours, see {@link LeaseDocumentStrategy}.
 */
public final class FlagUpdateStrategy extends LeaseDocumentStrategy {
    private static final String FLAG = "locked";

    /** Creates the strategy, usually through {@link java.util.ServiceLoader}. */
    public FlagUpdateStrategy() {
        super("flag-update", LeaseDocument.withFormat("flag-update/3").withFlag(FLAG));
    }

    @Override
    public Set<Trait> traits() {
        return Set.of(Trait.SERVER_CLOCK, Trait.STRICT_FENCING);
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        return acquireBy(context, () -> setFlag(context));
    }

    private MongoOp setFlag(AcquireContext context) {
        return new MongoOp.FindOneAndUpdate(
                label("set-flag"),
                LOCKS,
                document().releasedFilter(context.name()),
                updates().created(context),
                true);
    }
}
