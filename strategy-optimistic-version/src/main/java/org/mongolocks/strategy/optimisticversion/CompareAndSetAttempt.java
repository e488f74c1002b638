package org.mongolocks.strategy.optimisticversion;

import static org.mongolocks.spi.LockFields.EXPIRES_AT;
import static org.mongolocks.spi.LockFields.LEASE_ID;
import static org.mongolocks.spi.LockFields.OWNER;
import static org.mongolocks.spi.LockSchema.LOCKS;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquirePrograms;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/** One attempt: reads, and writes if nothing has changed since; at most three rounds. */
record CompareAndSetAttempt(ExpiryPolicy mode, AcquireContext context) {
    /** An attempt that loses so often ends as contended, and the next one follows after a pause. */
    static final int MAX_ROUNDS = 3;

    Step<LockOutcome> start() {
        return round(1);
    }

    private Step<LockOutcome> round(int number) {
        LockSnapshot unused = LockSnapshot.unused(context.name());
        return mode.look(context).andThen(seen -> decide(seen.orElse(unused), number));
    }

    private Step<LockOutcome> decide(LockSnapshot seen, int round) {
        if (context.isHeldByMe(seen.holder())) {
            return write(keep(seen), seen, round);
        }
        return seen.isHeld() ? Step.done(new LockOutcome.Contended(seen)) : write(take(seen), seen, round);
    }

    private Step<LockOutcome> write(MongoOp write, LockSnapshot seen, int round) {
        AcquirePrograms programs = new AcquirePrograms(mode.strategy(), mode.document());
        return Step.call(write, reply -> isOutrun(reply) ? again(seen, round) : programs.answer(context, reply));
    }

    private Step<LockOutcome> again(LockSnapshot seen, int round) {
        return round < MAX_ROUNDS ? round(round + 1) : Step.done(new LockOutcome.Contended(seen));
    }

    /** The version is the token: a document begins with version 0, and its first grant makes that 1. */
    private MongoOp take(LockSnapshot seen) {
        return new MongoOp.FindOneAndUpdate(
                mode.strategy() + "/compare-and-set",
                LOCKS,
                unchanged(seen),
                mode.taken(context, seen.revision() + 1),
                seen.revision() == 0);
    }

    /**
     * Returns the filter for the lock as it was read. The version alone is not enough: it may come from a primary that
     * was deposed since, and on its successor the same version may belong to another owner, or to a later lease of the
     * same one.
     */
    private BsonDocument unchanged(LockSnapshot seen) {
        BsonDocument filter =
                mode.document().filterFor(context.name()).append(ExpiryPolicy.VERSION, new BsonInt64(seen.revision()));
        if (seen.revision() > 0) {
            filter.append(
                    OWNER,
                    seen.holder()
                            .map(holder -> (BsonValue) new BsonString(holder))
                            .orElse(BsonNull.VALUE));
            Optional<Instant> end = seen.holder().isPresent() ? seen.expiresAt() : Optional.empty();
            end.ifPresent(at -> filter.append(EXPIRES_AT, new BsonDateTime(at.toEpochMilli())));
            seen.leaseId().ifPresent(id -> filter.append(LEASE_ID, new BsonInt64(id)));
        }
        return filter;
    }

    /**
     * The lock is held since an earlier attempt whose reply was lost. This confirms it by a write, because a read may
     * come from a deposed primary.
     */
    private MongoOp keep(LockSnapshot seen) {
        BsonDocument mine =
                mode.document().heldBy(context.name(), context.owner(), OptionalLong.of(seen.fencingToken()));
        return new MongoOp.FindOneAndUpdate(mode.strategy() + "/keep", LOCKS, mine, mode.kept(context), false);
    }

    /** The version has changed, or a concurrent attempt has created the document. */
    private static boolean isOutrun(Reply reply) {
        return reply.equals(Reply.Found.none()) || reply.failedWith(Fault.DUPLICATE_KEY);
    }
}
