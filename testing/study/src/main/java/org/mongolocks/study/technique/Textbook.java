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
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/**
 * A published technique, ported step by step with its mistakes. It is a control of the study, not a service: do not use
 * it for locking.
 *
 * <p>A port has no feature that its article lacks: an acquisition whose reply is lost is not compensated, a lock cannot
 * be inspected, and without tokens every grant has the same one.
 */
public interface Textbook extends LockStrategy {
    /** Longer than any run. */
    Duration FOR_EVER = Duration.ofDays(3650);

    /** The token of techniques without tokens, because the engine needs a number. */
    long NO_TOKEN = 1;

    /**
     * Returns the indexes that the article creates, on the collection of the locks.
     *
     * @return the indexes as {@code createIndexes} expects them
     */
    default List<BsonDocument> indexes() {
        return List.of();
    }

    /** Returns the documents that exist before the first acquisition, in the collection of the locks. */
    default List<BsonDocument> documents(LockName name) {
        return List.of();
    }

    /**
     * Releases a lock as the article does.
     *
     * @param owner the owner that held it
     * @return a program that ends with whether something was released
     */
    Step<Boolean> unlock(LockName name, Owner owner);

    /** The documents have no format mark. */
    @Override
    default Optional<String> format() {
        return Optional.empty();
    }

    @Override
    default Set<Trait> traits() {
        return Set.of();
    }

    @Override
    default LockSchema schema() {
        return LockSchema.locksOnly();
    }

    /** Never called, because there is no renewal. */
    @Override
    default Step<Renewal> renew(Lease lease) {
        return Step.done(new Renewal.Renewed());
    }

    @Override
    default Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken) {
        return fencingToken.isPresent() ? unlock(name, owner) : Step.done(false);
    }

    /** Never called, because no request has a minimum. */
    @Override
    default Step<Boolean> releaseAfter(Lease lease) {
        return Step.done(false);
    }

    @Override
    default Step<Optional<LockSnapshot>> inspect(LockName name) {
        return Step.done(Optional.empty());
    }

    @Override
    default Step<Boolean> forceRelease(LockSnapshot seen) {
        return Step.done(false);
    }

    @Override
    default Step<LockPage> list(LockQuery query) {
        return Step.done(new LockPage(List.of(), List.of(), Optional.empty()));
    }

    @Override
    default Step<Long> raiseTokens(LockQuery query, long floor) {
        return Step.done(0L);
    }

    /** Ends an attempt with a lock that is held until its release. */
    static Step<LockOutcome> acquiredForEver(AcquireContext context) {
        return acquiredForEver(context, NO_TOKEN);
    }

    /**
     * Ends an attempt with a lock that is held until its release.
     *
     * @param carried a number that the release needs
     */
    static Step<LockOutcome> acquiredForEver(AcquireContext context, long carried) {
        long end = context.startedNanos() + FOR_EVER.toNanos();
        return Step.done(new LockOutcome.Acquired(new Lease(context.name(), context.owner(), carried, FOR_EVER, end)));
    }

    /**
     * Marks a fault as one that the article throws, even if the library would retry.
     *
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
     * @return the index, without options
     */
    static BsonDocument index(String field) {
        return new BsonDocument("key", new BsonDocument(field, new BsonInt32(1)))
                .append("name", new BsonString(field + "_1"));
    }

    /** Ends an attempt as contended; the holder is not known. */
    static Step<LockOutcome> contended(AcquireContext context) {
        return Step.done(new LockOutcome.Contended(LockSnapshot.unused(context.name())));
    }

    /** Ends an attempt with a lock for one ttl. */
    static Step<LockOutcome> acquired(AcquireContext context) {
        return Step.done(context.acquired(NO_TOKEN));
    }
}
