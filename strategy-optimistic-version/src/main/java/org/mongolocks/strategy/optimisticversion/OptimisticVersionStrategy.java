package org.mongolocks.strategy.optimisticversion;

import java.util.Set;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.lease.LeaseDocument;
import org.mongolocks.spi.lease.LeaseDocumentStrategy;

/**
 * A strategy that acquires by compare-and-set: it reads the lock, and acquires it if its version has not changed since.
 * An attempt on a held lock only reads, unless it registers a waiter.
 *
 * <p>The document of a held lock; a release removes {@code owner} and {@code holder},
 * renames {@code next} to {@code turn}, and sets {@code releasedAt}:
 *
 * <pre>{@code
 * {
 *   _id: "invoices",
 *   format: "optimistic-version/3",
 *   version: NumberLong(1767323045680),                 // the server's milliseconds, then grows with each change
 *   owner: "worker-1/2f6c0c1e-8d5e-4b52-9d3c-0a6c1c1f7e55",
 *   holder: {host: "batch-7", pid: NumberLong(4711), thread: "main", note: "nightly run"},
 *   fence: NumberLong(1767323045678),                   // the version that the grant made
 *   acquiredAt: ISODate("2026-01-02T03:04:05.678Z"),
 *   renewedAt: ISODate("2026-01-02T03:04:05.678Z"),   // the start of the lease
 *   leaseMs: NumberLong(30000),                         // it ends so much later
 *   waiting: [NumberLong(17), NumberLong(4)],           // the waiters, and the first four of them: only while there
 *   next: [NumberLong(17), NumberLong(4)]               // are any, see LeaseDocumentStrategy
 * }
 * }</pre>
 *
 * To acquire:
 *
 * <ol>
 *   <li>Read: {@code find {_id}}, with the server's time. Held by another owner: contended. Of another format: refused,
 *       and not changed.
 *   <li>Compare and set, if it is free or expired: {@code findAndModify {_id, format, version: v, owner, renewedAt,
 *       waiting: {$exists: false}}}, as they were read, by plain operators, acquires the lock with the token v + 1 and
 *       sets the version to v + 1. If there is no document, v is 0: by a pipeline with upsert, which begins token and
 *       version at the server's time. If others wait, the same without {@code waiting} and by pipeline, which acquires
 *       the lock only if no waiter comes first. The owner in the
 *       returned document confirms it. The owner is in the filter because a deposed primary may have shown a version
 *       that on its successor belongs to another state.
 *   <li>Extend, if it is the owner's own from an attempt whose reply was lost: {@code findAndModify {_id, format,
 *       owner: me, fence}} extends the lease and keeps the token.
 *   <li>No match or a duplicate key: lost the race. Back to 1, at most three rounds; then contended.
 *   <li>A waiter registers instead of 1: {@code findAndModify {_id}} by pipeline adds its number to {@code waiting},
 *       also of a free lock. The reply shows the same as the read, and the position.
 * </ol>
 * To renew, release, inspect, list and force-release: one command each, see {@link LeaseDocumentStrategy}. Each change
 * increments the version, so that no attempt takes over a lock that was renewed after the attempt read it.
 *
 * <p>Traits: server clock, strict fencing. Round trips: 2 if free, 1 if held. Index: TTL on {@code renewedAt}, 48
 * hours, which only cleans up.
 *
 * <p>Known weakness: with many concurrent attempts, one wins each round and the others have spent two round trips each.
 * Tokens have gaps. They go back if the server's clock is set back by more than 24 hours, see
 * {@link LeaseDocumentStrategy}.
 */
public final class OptimisticVersionStrategy extends CompareAndSetStrategy {
    /** Creates the strategy, usually through {@link java.util.ServiceLoader}. */
    public OptimisticVersionStrategy() {
        super("optimistic-version", LeaseDocument.withFormat("optimistic-version/3"));
    }

    @Override
    public Set<Trait> traits() {
        return Set.of(Trait.SERVER_CLOCK, Trait.STRICT_FENCING);
    }
}
