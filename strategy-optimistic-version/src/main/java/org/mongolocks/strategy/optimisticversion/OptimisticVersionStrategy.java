package org.mongolocks.strategy.optimisticversion;

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
import org.mongolocks.spi.LeaseDocument;
import org.mongolocks.spi.LeasePrograms;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Renewal;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.Trait;

/**
 * A strategy that acquires by compare-and-set: it reads the lock, and acquires it if its version has not changed since.
 * Waiters only read.
 *
 * <p>The document of a held lock; a release removes {@code owner} and {@code holder} and sets {@code releasedAt}:
 *
 * <pre>{@code
 * {
 *   _id: "invoices",
 *   format: "optimistic-version/1",
 *   version: NumberLong(97),                            // grows with each change
 *   owner: "worker-1/2f6c0c1e-8d5e-4b52-9d3c-0a6c1c1f7e55",
 *   holder: {host: "batch-7", pid: NumberLong(4711), thread: "main", note: "nightly run"},
 *   fence: NumberLong(95),                              // the version that the grant made
 *   acquiredAt: ISODate("2026-01-02T03:04:05.678Z"),
 *   expiresAt: ISODate("2026-01-02T03:04:35.678Z"),
 *   leaseMs: NumberLong(30000)
 * }
 * }</pre>
 *
 * To acquire:
 *
 * <ol>
 *   <li>Read: {@code find {_id}}, with the server's time. Held by another owner: contended. Of another format: refused,
 *       and not changed.
 *   <li>Compare and set, if it is free or expired: {@code findAndModify {_id, format, version: v, owner, expiresAt}},
 *       as they were read, acquires the lock with the token v + 1 and sets the version to v + 1; with upsert and v = 0
 *       if there is no document. The owner in the returned document confirms it. The owner is in the filter because a
 *       deposed primary may have shown a version that on its successor belongs to another state.
 *   <li>Extend, if it is the owner's own from an attempt whose reply was lost: {@code findAndModify {_id, format,
 *       owner: me, fence}} extends the lease and keeps the token.
 *   <li>No match or a duplicate key: lost the race. Back to 1, at most three rounds; then contended.
 * </ol>
 * To renew, release, inspect, list and force-release: one command each, see {@link LeasePrograms}. Each change
 * increments the version, so that no attempt takes over a lock that was renewed after the attempt read it.
 *
 * <p>Traits: server clock, strict fencing. Round trips: 2 if free, 1 if held. Indexes: none but {@code _id}.
 *
 * <p>Known weakness: with many concurrent attempts, one wins each round and the others have spent two round trips each.
 * Tokens have gaps. The documents are never deleted, and deleting one by hand resets its tokens.
 */
public final class OptimisticVersionStrategy implements LockStrategy {
    private static final String NAME = "optimistic-version";
    private static final LeaseDocument DOCUMENT =
            LeaseDocument.withFormat(NAME + "/1").withRevision(ExpiryPolicy.VERSION);
    private static final LeasePrograms HOLDING = new LeasePrograms(NAME, DOCUMENT);
    private static final ExpiryPolicy MODE = new ServerClockExpiry(NAME, DOCUMENT, HOLDING);

    /** Creates the strategy, usually through {@link java.util.ServiceLoader}. */
    public OptimisticVersionStrategy() {}

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
        return new CompareAndSetAttempt(MODE, context).start();
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
        return HOLDING.raiseTokens(query, floor, OperatorUpdates.raised(floor));
    }
}
