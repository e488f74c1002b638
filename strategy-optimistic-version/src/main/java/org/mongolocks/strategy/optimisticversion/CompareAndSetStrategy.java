package org.mongolocks.strategy.optimisticversion;

import static org.mongolocks.spi.LockSchema.LOCKS;
import static org.mongolocks.spi.LockSchema.LockFields.LEASE_ID;
import static org.mongolocks.spi.LockSchema.LockFields.OWNER;
import static org.mongolocks.spi.LockSchema.LockFields.RENEWED_AT;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.lease.LeaseDocument;
import org.mongolocks.spi.lease.LeaseDocumentStrategy;

/**
 * The acquisition by compare-and-set: reads the lock, and writes if nothing has changed since; at most three rounds.
 * Subclasses differ in how the end of a lease is judged: by the server's clock, or by observation.
 */
abstract sealed class CompareAndSetStrategy extends LeaseDocumentStrategy
        permits OptimisticVersionStrategy, ClockFreeVersionStrategy {
    /** An attempt that loses so many races ends as contended, and the next one follows after a pause. */
    static final int MAX_ROUNDS = 3;

    /** The field that every change of the holder or the lease increments: an acquisition cannot overwrite a renewal. */
    static final String VERSION = "version";

    CompareAndSetStrategy(String name, LeaseDocument document) {
        super(name, document.withTokensFromRevision(VERSION));
    }

    /** Returns the lock as it was read, with a remaining time of zero if its holder's lease has ended. */
    LockOutcome.Contended judged(AcquireContext context, LockOutcome.Contended seen) {
        return seen;
    }

    @Override
    public final Step<LockOutcome> acquire(AcquireContext context) {
        return registerOrRead(
                context,
                seen -> judged(context, seen),
                seen -> seen.map(lock -> round(context, judged(context, lock), 1))
                        .orElseGet(() -> firstRound(context)));
    }

    private LockSnapshot judged(AcquireContext context, LockSnapshot lock) {
        return judged(context, new LockOutcome.Contended(lock)).lock();
    }

    /** A client that was notified of a release knows the version since then, and need not read it. */
    private Step<LockOutcome> firstRound(AcquireContext context) {
        if (context.releasedRevision().isEmpty()) {
            return round(context, 1);
        }
        LockSnapshot released = LockSnapshot.of(
                context.name(), Optional.empty(), 0, context.releasedRevision().getAsLong());
        return write(context, released, 0);
    }

    private Step<LockOutcome> round(AcquireContext context, int round) {
        return read("read", context.name())
                .andThen(found -> round(
                        context,
                        found.map(lock -> judged(context, lock)).orElse(LockSnapshot.unused(context.name())),
                        round));
    }

    private Step<LockOutcome> round(AcquireContext context, LockSnapshot seen, int round) {
        boolean isMine = context.isHeldByMe(seen.holder());
        return seen.isHeld() && !isMine ? Step.done(new LockOutcome.Contended(seen)) : write(context, seen, round);
    }

    private Step<LockOutcome> write(AcquireContext context, LockSnapshot seen, int round) {
        MongoOp write = context.isHeldByMe(seen.holder()) ? extend(context, seen) : compareAndSet(context, seen);
        return Step.call(write, reply -> {
            if (!isRaceLost(reply)) {
                return outcome(context, reply)
                        .andThen(outcome -> Step.done(
                                outcome instanceof LockOutcome.Contended shown ? judged(context, shown) : outcome));
            }
            return round < MAX_ROUNDS ? round(context, round + 1) : Step.done(new LockOutcome.Contended(seen));
        });
    }

    /**
     * The version is the token. No document has the version 0, which stands for none. A pipeline observes the list of waiters;
     * a lock that nobody awaits is granted by operators.
     */
    private MongoOp compareAndSet(AcquireContext context, LockSnapshot seen) {
        String label = label("compare-and-set");
        if (seen.revision() == 0) {
            BsonDocument missing = document().missingFilter(context.name());
            return new MongoOp.FindOneAndUpdate(label, LOCKS, missing, updates().created(context), true);
        }
        boolean isAwaited = seen.waiters() > 0 || context.releasedRevision().isPresent();
        BsonDocument unchanged = unchanged(seen);
        long token = seen.revision() + 1;
        return new MongoOp.FindOneAndUpdate(
                label,
                LOCKS,
                isAwaited ? unchanged : document().withoutWaiting(unchanged),
                isAwaited ? updates().grantedInTurn(context, token) : updates().granted(context, token),
                false,
                isAwaited ? projectionFor(context) : Optional.empty());
    }

    /**
     * Returns the filter for the lock as it was read. The version alone is not enough: it may come from a primary that
     * was deposed since. On its successor the same version may belong to another owner, or to a later lease of the same
     * one.
     */
    private BsonDocument unchanged(LockSnapshot seen) {
        BsonDocument filter = document()
                .filterFor(seen.name())
                .append(VERSION, new BsonInt64(seen.revision()))
                .append(
                        OWNER,
                        seen.holder()
                                .map(holder -> (BsonValue) new BsonString(holder))
                                .orElse(BsonNull.VALUE));
        Optional<Instant> end = seen.holder().isPresent() ? seen.expiresAt() : Optional.empty();
        end.ifPresent(at ->
                filter.append(RENEWED_AT, new BsonDateTime(at.minus(seen.ttl()).toEpochMilli())));
        seen.leaseId().ifPresent(id -> filter.append(LEASE_ID, new BsonInt64(id)));
        return filter;
    }

    /**
     * The lock is held since an earlier attempt whose reply was lost. This confirms it by a write, because a read may
     * come from a deposed primary.
     */
    private MongoOp extend(AcquireContext context, LockSnapshot seen) {
        BsonDocument own =
                document().ownerFilter(context.name(), context.owner(), OptionalLong.of(seen.fencingToken()));
        return new MongoOp.FindOneAndUpdate(
                label("extend"), LOCKS, own, updates().extended(context), false);
    }

    /** The version has changed, or a concurrent attempt has created the document. */
    private static boolean isRaceLost(Reply reply) {
        return reply.equals(Reply.Found.none()) || reply.failedWith(Fault.DUPLICATE_KEY);
    }
}
