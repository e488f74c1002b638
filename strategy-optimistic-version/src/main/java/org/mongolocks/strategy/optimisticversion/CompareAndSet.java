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

/** One attempt: looks, and writes if nothing has changed since; three rounds of it at most. */
record CompareAndSet(Mode mode, AcquireContext context) {
    /** Whoever loses so often leaves the field to the others, and comes back after a pause. */
    static final int MOST_ROUNDS = 3;

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
        return round < MOST_ROUNDS ? round(round + 1) : Step.done(new LockOutcome.Contended(seen));
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
     * Selects the lock as it was seen. The version alone is not enough: what was seen may be that of a primary which was
     * deposed since, while with another primary the same number of changes came to something else: to another owner, or
     * to a later lease of the same one.
     */
    private BsonDocument unchanged(LockSnapshot seen) {
        BsonDocument filter = mode.document().own(context.name()).append(Mode.VERSION, new BsonInt64(seen.revision()));
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

    /** Ours since an earlier question whose reply was lost. A write, for a read may come from a deposed primary. */
    private MongoOp keep(LockSnapshot seen) {
        BsonDocument mine =
                mode.document().heldBy(context.name(), context.owner(), OptionalLong.of(seen.fencingToken()));
        return new MongoOp.FindOneAndUpdate(mode.strategy() + "/keep", LOCKS, mine, mode.kept(context), false);
    }

    /** The version has moved on, or another has created the document. */
    private static boolean isOutrun(Reply reply) {
        return reply.equals(Reply.Found.none()) || reply.failedWith(Fault.DUPLICATE_KEY);
    }
}
