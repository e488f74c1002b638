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
 * Locks by one {@code findAndModify}: the server looks at the lock, judges it and takes it in a single stage, and a
 * counter in the document gives the token. One round trip, whether the lock is free or held, and one more
 * if it is free again since this client saw it held.
 *
 * <p>The document of a held lock; when it is released, {@code owner} and {@code holder} go and {@code releasedAt} comes:
 *
 * <pre>{@code
 * {
 *   _id: "invoices",
 *   format: "findandmodify-counter/1",
 *   owner: "worker-1/2f6c0c1e-8d5e-4b52-9d3c-0a6c1c1f7e55",
 *   holder: {host: "batch-7", pid: NumberLong(4711), thread: "main", note: "nightly run"},
 *   fence: NumberLong(42),                              // the counter: one more with each grant
 *   acquiredAt: ISODate("2026-01-02T03:04:05.678Z"),
 *   expiresAt: ISODate("2026-01-02T03:04:35.678Z"),
 *   leaseMs: NumberLong(30000),
 *   rev: NumberLong(97)                                 // one more with each change
 * }
 * }</pre>
 *
 * To acquire:
 *
 * <ol>
 *   <li>Take or keep: {@code findAndModify {_id, format}} with upsert, and a {@code $switch} on the document as it is:
 *       mine, then extend the lease and keep the token; free or expired, then take it and count up; else leave it
 *       untouched. The owner in the returned document tells who has the lock, and the server's time beside it when the lease
 *       ends.
 *   <li>After a duplicate key (another has created the document in this moment, or it is not ours): the same without
 *       upsert.
 *   <li>Look, if that found nothing: a document of another format is refused and left as it is. None: back to 1, once.
 * </ol>
 *
 * A client that saw the lock held last looks first: {@code find {_id}}. Held by another: contended. Else it goes on with 1,
 * or with 2 after the end of a lease. One that waited and was told of the release begins with 2.
 *
 * To renew, release, inspect, list and force free: one command each, see {@link LeasePrograms}.
 *
 * <p>Traits: server clock, strict fencing. Indexes: none but {@code _id}. The first contended attempt writes nothing,
 * but waits like a write until a majority has the newest entry of the log; those that follow read.
 *
 * <p>Known weakness: the documents stay for ever, one for each name that was ever locked. Deleting one by hand sets its
 * counter back, and with it the tokens.
 */
public final class FindAndModifyCounterStrategy implements LockStrategy {
    private static final String NAME = "findandmodify-counter";
    private static final LeaseDocument DOCUMENT = LeaseDocument.marked(NAME + "/1");
    private static final AcquirePrograms ACQUIRING = new AcquirePrograms(NAME, DOCUMENT);
    private static final LeasePrograms HOLDING = new LeasePrograms(NAME, DOCUMENT);

    /** Makes the strategy; {@link java.util.ServiceLoader} does. */
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
        return ACQUIRING.createOrTake(context, () -> takeOrKeep(context));
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
                DOCUMENT.own(context.name()),
                DOCUMENT.takenOrKept(context, DOCUMENT.nextToken()),
                true,
                Optional.of(DOCUMENT.projection()));
    }
}
