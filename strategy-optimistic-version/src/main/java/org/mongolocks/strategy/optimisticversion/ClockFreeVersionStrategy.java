package org.mongolocks.strategy.optimisticversion;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.Observation;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.LockStrategy.Turn;
import org.mongolocks.spi.lease.LeaseDocument;
import org.mongolocks.spi.lease.LeaseDocumentStrategy;

/**
 * A strategy that acquires by compare-and-set and compares no clocks of two machines: a lock is taken over when one
 * waiter has observed its version unchanged for longer than the lease lasts. For servers whose clocks cannot be
 * trusted, and for servers without update pipelines: all commands are plain operators, except those for a list of
 * waiters, which is kept on MongoDB 4.4 or newer.
 *
 * <p>A lock is never taken over by its first observation. After a crash of the holder one acquisition has to wait for
 * the whole lease of the holder and 1 % and 10 ms more. Set {@code waitAtMost} to more than that, or the lock of a
 * crashed holder is never taken over. A released lock is acquired at once.
 *
 * <p>The document of a held lock; a release removes {@code owner} and {@code holder}, renames {@code next} to
 * {@code turn}, and sets {@code releasedAt}. Its dates are for operators, and for the order of waiters.
 *
 * <pre>{@code
 * {
 *   _id: "invoices",
 *   format: "optimistic-version-clock-free/3",
 *   version: NumberLong(97),                            // grows with each change
 *   owner: "worker-1/2f6c0c1e-8d5e-4b52-9d3c-0a6c1c1f7e55",
 *   holder: {host: "batch-7", pid: NumberLong(4711), thread: "main", note: "nightly run"},
 *   fence: NumberLong(95),                              // the version that the grant made
 *   leaseMs: NumberLong(30000),                         // how long it must stay unchanged: the largest ttl of the grant
 *   leaseId: NumberLong(81723045678901),                // new with each grant and renewal
 *   acquiredAt: ISODate("2026-01-02T03:04:05.678Z"),
 *   renewedAt: ISODate("2026-01-02T03:04:05.678Z"),
 *   waiting: [NumberLong(17), NumberLong(4)],           // the waiters, and the first four of them: only while there
 *   next: [NumberLong(17), NumberLong(4)]               // are any, see LeaseDocumentStrategy
 * }
 * }</pre>
 *
 * To acquire:
 *
 * <ol>
 *   <li>Read: {@code find {_id}}. Held by another owner, and not seen unchanged (version, owner and leaseId) for
 *       leaseMs + 1 % + 10 ms by the previous attempts: contended, with the rest of that time as the remaining time. Of
 *       another format: refused, and not changed.
 *   <li>Compare and set, if it is free or was unchanged for so long: {@code findAndModify {_id, format, version: v,
 *       owner, renewedAt, leaseId, waiting: {$exists: false}}}, as they were read, acquires the lock with the token v +
 *       1 and sets the version to v + 1; with upsert and v = 0 if there is no document. If others wait, the same
 *       without {@code waiting} and by pipeline, which acquires the lock only if no waiter comes first, by the server's
 *       clock. That clock decides the order of waiters, and never that a lease has ended. The owner in the returned
 *       document confirms it. Owner and leaseId are in the filter because a deposed primary may have shown a version
 *       that on its successor belongs to another holder, or to a later lease of the same one.
 *   <li>Extend, if it is the owner's own from an attempt whose reply was lost: {@code findAndModify {_id, format,
 *       owner: me, fence}} increments the version.
 *   <li>No match or a duplicate key: lost the race. Back to 1, at most three rounds; then contended.
 *   <li>A waiter registers instead of 1: {@code findAndModify {_id}} by pipeline adds its number to {@code waiting},
 *       also of a free lock. The reply shows the same as the read, and the position.
 * </ol>
 * To renew, release, inspect, list and force-release: one command each, as in {@link LeaseDocumentStrategy}, by plain
 * operators. A read shows no remaining time: a waiter that is not the first learns from the reply to step 2 whether it
 * is its turn.
 *
 * <p>{@code leaseId} is the start of the lease on the holder's own clock, which is compared with no other clock: it
 * distinguishes two leases of one owner. A waiter that reads the same value has observed a lease that began no later
 * than its first reading. That holds also if an election has undone the lease and the driver has sent the same command
 * again.
 *
 * <p>Traits: clock-free, strict fencing. Round trips: 2 if free, 1 if held. Indexes: none but {@code _id}.
 *
 * <p>Known weakness: clocks whose rates differ by more than 1 % (a virtual machine that is paused) break it. The server
 * does not end a lease, so a late renewal succeeds as long as no other owner has acquired the lock. The documents are
 * never deleted, one for each name that was ever locked, and deleting one by hand resets its tokens.
 * {@code optimistic-version} cannot read these documents, and this strategy cannot read its documents: each needs a
 * collection of its own.
 */
public final class ClockFreeVersionStrategy extends CompareAndSetStrategy {
    /** The rates of two clocks may differ by one part in this number: by 1 %. */
    private static final int RATE_TOLERANCE = 100;
    /** The assumed resolution of a clock. */
    private static final Duration CLOCK_RESOLUTION = Duration.ofMillis(10);

    /** Creates the strategy, usually through {@link java.util.ServiceLoader}. */
    public ClockFreeVersionStrategy() {
        super(
                "optimistic-version-clock-free",
                LeaseDocument.withFormat("optimistic-version-clock-free/3").withLeaseIds());
    }

    @Override
    public Set<Trait> traits() {
        return Set.of(Trait.CLOCK_FREE, Trait.STRICT_FENCING);
    }

    @Override
    protected Optional<BsonDocument> projection() {
        return Optional.empty();
    }

    /** The replies show no server time, so the command decides whether it is the turn of the waiter. */
    @Override
    protected boolean comesLater(AcquireContext context, LockOutcome.Contended seen) {
        return !context.isHeldByMe(seen.lock().holder())
                && judged(context, seen).lock().isHeld();
    }

    @Override
    LockOutcome.Contended judged(AcquireContext context, LockOutcome.Contended seen) {
        if (seen.lock().holder().isEmpty()) {
            return seen;
        }
        LockSnapshot lock = withRemaining(seen.lock(), context.previous());
        return new LockOutcome.Contended(
                lock,
                seen.turn()
                        .map(turn ->
                                Turn.ofHeld(turn.position(), lock.remaining().orElse(lock.ttl()))));
    }

    /** Returns for how long a lease must be unchanged before it counts as ended. */
    static Duration unchangedTimeOf(Duration lease) {
        return lease.plus(lease.dividedBy(RATE_TOLERANCE)).plus(CLOCK_RESOLUTION);
    }

    private static LockSnapshot withRemaining(LockSnapshot lock, Optional<Observation> previous) {
        Duration unchanged = previous.filter(observation -> isSameLease(observation.snapshot(), lock))
                .map(Observation::unchangedFor)
                .orElse(Duration.ZERO);
        Duration remaining = unchangedTimeOf(lock.ttl()).minus(unchanged);
        return withRemaining(lock, remaining.isNegative() ? Duration.ZERO : remaining);
    }

    /**
     * Returns whether two readings show the same lease. Revision and owner do not show that: an election may undo a
     * grant or a renewal, and when the holder retries it makes the same revision, with a lease that began later.
     */
    private static boolean isSameLease(LockSnapshot before, LockSnapshot now) {
        return before.revision() == now.revision()
                && before.holder().equals(now.holder())
                && before.leaseId().equals(now.leaseId());
    }

    static LockSnapshot withRemaining(LockSnapshot lock, Duration remaining) {
        return lock.remaining(Optional.of(remaining));
    }
}
