package org.mongolocks.study.technique;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * The Mongoose article's "unique {@code _id} insert with TTL".
 *
 * <ol>
 *   <li>lock: insert {@code {_id: name, acquirer, acquiredAt, updatedAt}}, with the client's clock. Any error means
 *       "not acquired"; try again after three seconds, without limit.
 *   <li>renew: update {@code {_id, acquirer}}, {@code updatedAt = now}. The result is ignored.
 *   <li>unlock: delete {@code {_id, acquirer}}.
 *   <li>A TTL index on {@code updatedAt} deletes the lock of a crashed client.
 * </ol>
 *
 * <p>Weaknesses: only the TTL monitor decides about expiry. It runs once a minute, so that a crash costs up to a minute
 * more than the lease; and it compares its own clock with the client's, so that with different clocks it deletes the
 * lock of a live holder. The holder does not notice, because the result of the renewal is ignored, and continues beside
 * the next one. An insert whose reply was lost counts as "not acquired" and blocks all clients.
 *
 * <p>As in the article, all threads of a process share one acquirer.
 */
record UniqueInsertWithTtl(InstantSource clock, Duration ttl) implements Textbook {
    static final String NAME = "textbook-unique-insert-ttl";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<BsonDocument> indexes() {
        return List.of(Textbook.index("updatedAt").append("expireAfterSeconds", new BsonInt32((int) ttl.toSeconds())));
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        BsonDateTime now = now();
        BsonDocument lock =
                mine(context.name(), context.owner()).append("acquiredAt", now).append("updatedAt", now);
        return Step.call(
                new MongoOp.InsertOne(NAME + "/lock", LOCKS, lock),
                reply -> reply instanceof Reply.Failed ? Textbook.contended(context) : Textbook.acquired(context));
    }

    @Override
    public Step<Renewal> renew(Lease lease) {
        BsonDocument now = new BsonDocument("$set", new BsonDocument("updatedAt", now()));
        MongoOp renew = new MongoOp.UpdateOne(
                NAME + "/renew", LOCKS, mine(lease.name(), lease.owner()), UpdateSpec.operators(now), false);
        return Step.call(renew, reply -> Step.done(new Renewal.Renewed()));
    }

    @Override
    public Step<Boolean> unlock(LockName name, Owner owner) {
        return Step.call(new MongoOp.DeleteOne(NAME + "/unlock", LOCKS, mine(name, owner)), Step::matched);
    }

    private BsonDateTime now() {
        return new BsonDateTime(clock.instant().toEpochMilli());
    }

    private static BsonDocument mine(LockName name, Owner owner) {
        return new BsonDocument("_id", new BsonString(name.value()))
                .append("acquirer", new BsonString(owner.instance()));
    }
}
