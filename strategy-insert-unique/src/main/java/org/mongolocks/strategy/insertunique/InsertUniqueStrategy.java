package org.mongolocks.strategy.insertunique;

import static org.mongolocks.spi.Expressions.document;
import static org.mongolocks.spi.Expressions.literal;
import static org.mongolocks.spi.Expressions.orElse;
import static org.mongolocks.spi.Expressions.path;
import static org.mongolocks.spi.LockFields.ACQUIRED_AT;
import static org.mongolocks.spi.LockFields.FENCE;
import static org.mongolocks.spi.LockFields.HOLDER;
import static org.mongolocks.spi.LockFields.PURGE_AT;
import static org.mongolocks.spi.LockSchema.LOCKS;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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
import org.mongolocks.spi.Expressions;
import org.mongolocks.spi.LeaseDocument;
import org.mongolocks.spi.LeasePrograms;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Renewal;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.StoredHolder;
import org.mongolocks.spi.Trait;

/**
 * Locks by the unique {@code _id}: of all that insert one name, one succeeds. Documents that nobody uses go by
 * themselves, so any number of names may be locked over time.
 *
 * <p>The document of a held lock; when it is released, {@code owner} and {@code holder} go, {@code releasedAt} comes,
 * and the document stays as a tombstone that keeps the token:
 *
 * <pre>{@code
 * {
 *   _id: "invoice-4711",
 *   format: "insert-unique/1",
 *   owner: "worker-1/2f6c0c1e-8d5e-4b52-9d3c-0a6c1c1f7e55",
 *   holder: {host: "batch-7", pid: NumberLong(4711), thread: "main", note: "nightly run"},
 *   fence: NumberLong(1767323045678),                   // one more with each grant, at least the server's milliseconds
 *   acquiredAt: ISODate("2026-01-02T03:04:05.678Z"),
 *   expiresAt: ISODate("2026-01-02T03:04:35.678Z"),
 *   leaseMs: NumberLong(30000),
 *   rev: NumberLong(1),                                 // one more with each change
 *   purgeAt: ISODate("2026-01-03T03:04:35.678Z")        // 24 hours after expiresAt
 * }
 * }</pre>
 *
 * To acquire:
 *
 * <ol>
 *   <li>Create: {@code findAndModify {_id, format, owner: me}} with upsert. No document: it is inserted, and the lock
 *       is ours. My own document, from a question whose reply was lost: the lease is extended, the token kept. Any
 *       other document: duplicate key.
 *   <li>Take or keep, after a duplicate key: {@code findAndModify {_id, format}} with a {@code $switch} on the
 *       document as it is: mine, then keep; free or expired, then take; else untouched. The owner in the returned
 *       document tells who has the lock, and the server's time beside it when the lease ends.
 *   <li>Look, if that found nothing: a document of another format is refused and left as it is. None, because it was
 *       cleaned up in between: back to 1, once.
 * </ol>
 *
 * A client that saw the lock released last begins with 2: a document is there. One that saw it held last looks first:
 * {@code find {_id}}. Held by another: contended. Else it goes on with 2, or with 1 if the document has gone. To renew, release, inspect, list and force free: one command each, see
 * {@link LeasePrograms}.
 *
 * <p>Traits: server clock, strict fencing, self-cleaning. Round trips: 1 for a name without a document, 2 when a
 * tombstone or a holder is in the way of a client that has not seen it, 1 from then on; 2 for a client that saw the lock
 * held and finds it free. Index: TTL on {@code purgeAt}, which only cleans up;
 * expiry never depends on it.
 *
 * <p>Known weakness: after a clean-up the tokens go on from the server's clock. They would go back if that clock were
 * set back by more than the 24 hours that a tombstone stays.
 */
public final class InsertUniqueStrategy implements LockStrategy {
    private static final String NAME = "insert-unique";
    /** Far more than any two server clocks may differ. */
    private static final Duration PURGE_GRACE = Duration.ofHours(24);

    private static final LeaseDocument DOCUMENT =
            LeaseDocument.marked(NAME + "/1").purgedAfter(PURGE_GRACE);
    private static final AcquirePrograms ACQUIRING = new AcquirePrograms(NAME, DOCUMENT);
    private static final LeasePrograms HOLDING = new LeasePrograms(NAME, DOCUMENT);

    /** Makes the strategy; {@link java.util.ServiceLoader} does. */
    public InsertUniqueStrategy() {}

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
        return Set.of(Trait.SERVER_CLOCK, Trait.STRICT_FENCING, Trait.SELF_CLEANING);
    }

    @Override
    public LockSchema schema() {
        return new LockSchema(List.of(new LockCollection(LOCKS, Optional.of(PURGE_AT))));
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        return ACQUIRING.createUnlessSeen(context, () -> create(context));
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

    private static MongoOp create(AcquireContext context) {
        BsonDocument mine = DOCUMENT.heldBy(context.name(), context.owner(), OptionalLong.empty());
        BsonDocument fields = DOCUMENT.extended(context.ttl())
                .append(HOLDER, literal(StoredHolder.of(context.holder())))
                .append(FENCE, orElse(path(FENCE), document("$toLong", Expressions.NOW)))
                .append(ACQUIRED_AT, orElse(path(ACQUIRED_AT), Expressions.NOW));
        return new MongoOp.FindOneAndUpdate(NAME + "/create", LOCKS, mine, DOCUMENT.setting(fields), true);
    }
}
