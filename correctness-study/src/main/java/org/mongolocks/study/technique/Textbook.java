package org.mongolocks.study.technique;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Renewal;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.Trait;

/**
 * Is a published technique, ported step by step with its mistakes. It is a control of the study and never a service: do
 * not lock with it.
 *
 * <p>What an article does not have, its port does not have. So nothing is taken back after an acquisition whose answer
 * was lost, nobody looks at a lock, and where there are no tokens every grant has the same one.
 */
public interface Textbook extends LockStrategy {
    /** Longer than any run. */
    Duration FOR_EVER = Duration.ofDays(3650);

    /** The token of techniques that have none; the engine wants a number. */
    long NO_TOKEN = 1;

    /**
     * Lists the indexes that the article makes, on the collection of the locks.
     *
     * @return as {@code createIndexes} takes them
     */
    default List<BsonDocument> indexes() {
        return List.of();
    }

    /**
     * Lists the documents that are there before anybody locks, in the collection of the locks.
     *
     * @param name what will be locked
     * @return the documents
     */
    default List<BsonDocument> documents(LockName name) {
        return List.of();
    }

    /**
     * Gives a lock back as the article does.
     *
     * @param name what is locked
     * @param owner who held it
     * @return a program that ends with whether something was given back
     */
    Step<Boolean> unlock(LockName name, Owner owner);

    @Override
    default Set<Trait> traits() {
        return Set.of();
    }

    @Override
    default LockSchema schema() {
        return LockSchema.locksOnly();
    }

    /** There is no renewal; nobody asks for one. */
    @Override
    default Step<Renewal> renew(Lease lease) {
        return Step.done(new Renewal.Renewed());
    }

    @Override
    default Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken) {
        return fencingToken.isPresent() ? unlock(name, owner) : Step.done(false);
    }

    @Override
    default Step<Optional<LockSnapshot>> inspect(LockName name) {
        return Step.done(Optional.empty());
    }

    @Override
    default Step<Boolean> forceRelease(LockSnapshot seen) {
        return Step.done(false);
    }

    /**
     * Says that the lock is ours, and stays so until it is given back.
     *
     * @param context who asked
     * @return the end of an attempt
     */
    static Step<LockOutcome> acquiredForEver(AcquireContext context) {
        return acquiredForEver(context, NO_TOKEN);
    }

    /**
     * Says that the lock is ours, and stays so until it is given back.
     *
     * @param context who asked
     * @param carried a number that the release will need
     * @return the end of an attempt
     */
    static Step<LockOutcome> acquiredForEver(AcquireContext context, long carried) {
        long end = context.startedNanos() + FOR_EVER.toNanos();
        return Step.done(new LockOutcome.Acquired(new Lease(context.name(), context.owner(), carried, FOR_EVER, end)));
    }

    /**
     * Says that the article throws a fault, whatever the library would do about it.
     *
     * @param failed the fault
     * @return the fault, as one that ends an acquisition
     */
    static Reply.Failed thrown(Reply.Failed failed) {
        return failed.failedWith(Fault.WRITE_CONFLICT) || failed.failedWith(Fault.DUPLICATE_KEY)
                ? new Reply.Failed(Fault.REJECTED, failed.cause())
                : failed;
    }

    /**
     * Describes an index on one field, as the server names it.
     *
     * @param field the field
     * @return the index, without options
     */
    static BsonDocument index(String field) {
        return new BsonDocument("key", new BsonDocument(field, new BsonInt32(1)))
                .append("name", new BsonString(field + "_1"));
    }

    /**
     * Says that somebody else has the lock; the article does not say who.
     *
     * @param context who asked
     * @return the end of an attempt
     */
    static Step<LockOutcome> contended(AcquireContext context) {
        return Step.done(new LockOutcome.Contended(LockSnapshot.unused(context.name())));
    }

    /**
     * Says that the lock is ours.
     *
     * @param context who asked
     * @return the end of an attempt
     */
    static Step<LockOutcome> acquired(AcquireContext context) {
        return Step.done(context.acquired(NO_TOKEN));
    }
}
