package org.mongolocks.strategy.findandmodifycounter;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquirePrograms;
import org.mongolocks.spi.LeaseDocument;
import org.mongolocks.spi.LeasePrograms;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Renewal;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.Trait;

/**
 * A strategy that acquires by one {@code findAndModify}: the server evaluates and updates the lock in a single stage,
 * and a counter in the document is the token. One round trip, whether the lock is free or held, and one more if it was
 * released since this client saw it held.
 *
 * <p>The document of a held lock; a release removes {@code owner} and {@code holder} and sets {@code releasedAt}:
 *
 * <pre>{@code
 * {
 *   _id: "invoices",
 *   format: "findandmodify-counter/1",
 *   owner: "worker-1/2f6c0c1e-8d5e-4b52-9d3c-0a6c1c1f7e55",
 *   holder: {host: "batch-7", pid: NumberLong(4711), thread: "main", note: "nightly run"},
 *   fence: NumberLong(42),                              // the counter, incremented by each grant
 *   acquiredAt: ISODate("2026-01-02T03:04:05.678Z"),
 *   expiresAt: ISODate("2026-01-02T03:04:35.678Z"),
 *   leaseMs: NumberLong(30000),
 *   rev: NumberLong(97)                                 // incremented by each change
 * }
 * }</pre>
 *
 * To acquire:
 *
 * <ol>
 *   <li>Acquire or extend: {@code findAndModify {_id, format}} with upsert, and a {@code $switch} on the document as it
 *       is: own lease: extend it and keep the token; free or expired: acquire and increment the counter; else no
 *       change. The owner in the returned document is the holder, and the server's time beside it shows how long the
 *       lease lasts.
 *   <li>After a duplicate key (a concurrent attempt has created the document, or it has another format): the same
 *       without upsert.
 *   <li>Read, if that matched nothing: a document of another format is refused and not changed. No document: back to 1,
 *       once.
 * </ol>
 * A client that last saw the lock held reads first: {@code find {_id}}. Held by another owner: contended. Else it
 * continues with 1, or with 2 after the end of a lease. A waiter that was notified of the release begins with 2.
 * To renew, release, inspect, list and force-release: one command each, see {@link LeasePrograms}.
 *
 * <p>Traits: server clock, strict fencing. Indexes: none but {@code _id}. The first contended attempt writes nothing,
 * but waits like a write until a majority has the newest entry of the oplog; later attempts only read.
 *
 * <p>Known weakness: the documents are never deleted, one for each name that was ever locked. Deleting one by hand
 * resets its counter, and with it the tokens.
 */
public final class FindAndModifyCounterStrategy implements LockStrategy {
    private static final String NAME = "findandmodify-counter";
    private static final LeaseDocument DOCUMENT = LeaseDocument.withFormat(NAME + "/1");
    private static final AcquirePrograms ACQUIRING = new AcquirePrograms(NAME, DOCUMENT);
    private static final LeasePrograms HOLDING = new LeasePrograms(NAME, DOCUMENT);

    /** Creates the strategy, usually through {@link java.util.ServiceLoader}. */
    public FindAndModifyCounterStrategy() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Optional<String> format() {
        return Optional.of(DOCUMENT.format());
    }

    @Override
    public Set<Trait> traits() {
        return Set.of(Trait.SERVER_CLOCK, Trait.STRICT_FENCING);
    }

    @Override
    public LockSchema schema() {
        return LockSchema.locksOnly();
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        return ACQUIRING.upsertOrTakeOver(context, () -> takeOrKeep(context));
    }

    @Override
    public Step<Renewal> renew(Lease lease) {
        return HOLDING.renew(lease);
    }

    @Override
    public Optional<Step<Boolean>> renewAll(List<Lease> leases) {
        return Optional.of(HOLDING.renewAll(leases));
    }

    @Override
    public Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken) {
        return HOLDING.release(name, owner, fencingToken);
    }

    @Override
    public Step<Optional<LockSnapshot>> inspect(LockName name) {
        return HOLDING.inspect(name);
    }

    @Override
    public Step<LockPage> list(LockQuery query) {
        return HOLDING.list(query);
    }

    @Override
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        return HOLDING.forceRelease(seen);
    }

    @Override
    public Step<Long> raiseTokens(LockQuery query, long floor) {
        return HOLDING.raiseTokens(query, floor);
    }

    private static MongoOp takeOrKeep(AcquireContext context) {
        return new MongoOp.FindOneAndUpdate(
                NAME + "/take-or-keep",
                LOCKS,
                DOCUMENT.filterFor(context.name()),
                DOCUMENT.acquireOrExtend(context, DOCUMENT.nextToken()),
                true,
                Optional.of(DOCUMENT.projection()));
    }
}
