package org.mongolocks.strategy.findandmodifycounter;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquirePrograms;
import org.mongolocks.spi.Fault;
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
 * counter in the document gives the token. One round trip, whether the lock is free or held.
 *
 * <p>The document of a held lock; when it is released, {@code owner} goes and {@code releasedAt} comes:
 *
 * <pre>{@code
 * {
 *   _id: "invoices",
 *   owner: "worker-1/2f6c0c1e-8d5e-4b52-9d3c-0a6c1c1f7e55",
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
 *   <li>{@code findAndModify {_id}} with upsert, and a {@code $switch} on the document as it is: mine, then extend the
 *       lease and keep the token; free or expired, then take it and count up; else leave it untouched. The owner in the
 *       returned document tells who has the lock.
 *   <li>Duplicate key: another has created the document in this moment. Ask again, at most three times; then the
 *       attempt fails with that fault.
 * </ol>
 *
 * To renew, release, inspect and force free: one command each, see {@link LeasePrograms}.
 *
 * <p>Traits: server clock, strict fencing. Indexes: none but {@code _id}. A contended attempt writes nothing, but waits
 * like a write until a majority has the newest entry of the log.
 *
 * <p>Known weakness: the documents stay for ever, one for each name that was ever locked. Deleting one by hand sets its
 * counter back, and with it the tokens.
 */
public final class FindAndModifyCounterStrategy implements LockStrategy {
    private static final String NAME = "findandmodify-counter";
    private static final LeaseDocument DOCUMENT = LeaseDocument.plain();
    private static final AcquirePrograms ACQUIRING = new AcquirePrograms(NAME, DOCUMENT);
    private static final LeasePrograms HOLDING = new LeasePrograms(NAME, DOCUMENT);

    /** Once the document is there it stays, so a second duplicate key is hardly possible. */
    private static final int MOST_REPEATS = 3;

    /** Makes the strategy; {@link java.util.ServiceLoader} does. */
    public FindAndModifyCounterStrategy() {}

    @Override
    public String name() {
        return NAME;
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
        return ask(context, MOST_REPEATS);
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
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        return HOLDING.forceRelease(seen);
    }

    private static Step<LockOutcome> ask(AcquireContext context, int repeats) {
        return Step.call(
                takeOrKeep(context),
                reply -> repeats > 0 && reply.failedWith(Fault.DUPLICATE_KEY)
                        ? ask(context, repeats - 1)
                        : ACQUIRING.answer(context, reply));
    }

    private static MongoOp takeOrKeep(AcquireContext context) {
        return new MongoOp.FindOneAndUpdate(
                NAME + "/take-or-keep",
                LOCKS,
                LeaseDocument.named(context.name()),
                DOCUMENT.takenOrKept(context.owner(), context.ttl(), DOCUMENT.nextToken()),
                true);
    }
}
