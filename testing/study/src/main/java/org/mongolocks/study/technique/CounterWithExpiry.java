package org.mongolocks.study.technique;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.lease.LeaseReader;

/**
 * The MongoTemplate article's "increment counter with expiry".
 *
 * <ol>
 *   <li>Find by {@code key}. If it exists and {@code expire} is now or later by the client's clock: not acquired.
 *   <li>If it exists and {@code expire} has passed: delete where {@code key} and {@code expire < now}.
 *   <li>{@code findAndModify} by {@code key} with upsert: {@code $inc value 1, $set expire = now + ttl}. Acquired
 *       if {@code value} is 1. The article does so twice, once to read {@code value} and once to read {@code expire};
 *       each increments it.
 *   <li>release: delete by {@code key}.
 * </ol>
 *
 * <p>Weaknesses: {@code expire} is written by one client's clock and compared with another's, so that a client whose
 * clock is ahead takes over the lock of a live holder. The release deletes the lock of any holder. A loser's third step
 * extends the winner's {@code expire}, so that polling can keep an abandoned lock alive. There is no renewal, and a
 * holder is not notified of the end of its time.
 */
record CounterWithExpiry(InstantSource clock, Duration ttl) implements Textbook {
    static final String NAME = "textbook-counter-expiry";

    private static final String KEY = "key";
    private static final String VALUE = "value";
    private static final String EXPIRE = "expire";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        MongoOp find = new MongoOp.FindOne(NAME + "/find", LOCKS, key(context.name()), Optional.empty());
        return found(
                find, document -> document.map(lock -> judge(context, lock)).orElseGet(() -> count(context)));
    }

    @Override
    public Step<Boolean> unlock(LockName name, Owner owner) {
        return Step.call(new MongoOp.DeleteOne(NAME + "/release", LOCKS, key(name)), Step::matched);
    }

    private Step<LockOutcome> judge(AcquireContext context, BsonDocument lock) {
        long now = clock.millis();
        if (LeaseReader.number(lock, EXPIRE) >= now) {
            return Textbook.contended(context);
        }
        BsonDocument expired = key(context.name()).append(EXPIRE, new BsonDocument("$lt", new BsonInt64(now)));
        return Step.call(
                new MongoOp.DeleteOne(NAME + "/delete-expired", LOCKS, expired),
                reply -> reply instanceof Reply.Failed ? Step.fail(reply) : count(context));
    }

    private Step<LockOutcome> count(AcquireContext context) {
        return found(
                increment("count", context),
                first -> found(
                        increment("read-expire", context),
                        second -> isFirst(first) ? Textbook.acquired(context) : Textbook.contended(context)));
    }

    private MongoOp increment(String label, AcquireContext context) {
        BsonDocument change = new BsonDocument("$inc", new BsonDocument(VALUE, new BsonDouble(1)))
                .append("$set", new BsonDocument(EXPIRE, new BsonInt64(clock.millis() + ttl.toMillis())));
        return new MongoOp.FindOneAndUpdate(
                NAME + "/" + label, LOCKS, key(context.name()), UpdateSpec.operators(change), true);
    }

    private static boolean isFirst(Optional<BsonDocument> counted) {
        return counted.map(lock -> LeaseReader.number(lock, VALUE)).orElse(0L) == 1;
    }

    private static <R> Step<R> found(MongoOp op, Function<Optional<BsonDocument>, Step<R>> then) {
        return Step.call(
                op, reply -> reply instanceof Reply.Found found ? then.apply(found.document()) : Step.fail(reply));
    }

    private static BsonDocument key(LockName name) {
        return new BsonDocument(KEY, new BsonString(name.value()));
    }
}
