package org.mongolocks.strategy.flagupdate;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquirePrograms;
import org.mongolocks.spi.Change;
import org.mongolocks.spi.LeaseDocument;
import org.mongolocks.spi.LeasePrograms;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Renewal;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.Trait;

/**
 * Locks by flipping a flag: {@code locked} goes from false to true, once. A person who looks at the collection sees at
 * a glance what was given to somebody.
 *
 * <p>The document of a held lock; when it is released, {@code locked} becomes false, {@code owner} and {@code holder}
 * go and {@code releasedAt} comes. After a crash {@code locked} stays true: the lock is free nevertheless once
 * {@code expiresAt} has passed.
 *
 * <pre>{@code
 * {
 *   _id: "invoices",
 *   format: "flag-update/1",
 *   locked: true,
 *   owner: "worker-1/2f6c0c1e-8d5e-4b52-9d3c-0a6c1c1f7e55",
 *   holder: {host: "batch-7", pid: NumberLong(4711), thread: "main", note: "nightly run"},
 *   fence: NumberLong(42),                              // one more with each grant
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
 *   <li>Flip: {@code findAndModify {_id, format, locked: false}} with upsert, which takes the lock and counts up. A
 *       released document is flipped, a missing one inserted; a document with the flag up, or not ours, gives a
 *       duplicate key.
 *   <li>Take or keep, after a duplicate key: {@code findAndModify {_id, format}} with a {@code $switch} on the
 *       document as it is: mine, then extend the lease and keep the token; free or expired, then take; else untouched.
 *       The owner in the returned document tells who has the lock, and the server's time beside it when the lease ends.
 *   <li>Look, if that found nothing: a document of another format is refused and left as it is. None, because somebody
 *       deleted it: back to 1, once.
 * </ol>
 *
 * A client that saw the lock held last looks first: {@code find {_id}}. Held by another: contended. Else it goes on
 * with 1, or with 2 after the end of a lease. One that waited and was told of the release begins with 2. To renew,
 * release, inspect, list and force free: one command each, see {@link LeasePrograms}.
 *
 * <p>Traits: server clock, strict fencing. Round trips: 1 if the lock was never used or was released, 2 if it is held
 * or has expired, 1 for a client that saw it held last; 2 if it is free again since. Indexes: none but {@code _id}.
 *
 * <p>Known weakness: the flag is a promise of nobody. Whoever sets {@code locked} to false by hand gives a held lock to
 * the next who asks, while its holder goes on until its next renewal; use a forced release. The documents stay for
 * ever, and deleting one sets its tokens back.
 */
public final class FlagUpdateStrategy implements LockStrategy {
    private static final String NAME = "flag-update";
    private static final String FLAG = "locked";
    private static final LeaseDocument DOCUMENT =
            LeaseDocument.marked(NAME + "/1").withFlag(FLAG);
    private static final AcquirePrograms ACQUIRING = new AcquirePrograms(NAME, DOCUMENT);
    private static final LeasePrograms HOLDING = new LeasePrograms(NAME, DOCUMENT);

    /** Makes the strategy; {@link java.util.ServiceLoader} does. */
    public FlagUpdateStrategy() {}

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
        return ACQUIRING.createOrTake(context, () -> flip(context));
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

    private static MongoOp flip(AcquireContext context) {
        BsonDocument down = DOCUMENT.own(context.name()).append(FLAG, BsonBoolean.FALSE);
        Change up = DOCUMENT.setting(DOCUMENT.granted(context, DOCUMENT.nextToken()));
        return new MongoOp.FindOneAndUpdate(NAME + "/flip", LOCKS, down, up, true);
    }
}
