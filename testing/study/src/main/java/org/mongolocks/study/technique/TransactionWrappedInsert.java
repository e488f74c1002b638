package org.mongolocks.study.technique;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/**
 * The Node driver article's "transaction-wrapped insert".
 *
 * <ol>
 *   <li>acquire: start a transaction, insert {@code {resourceId, createdAt, clientId}} with the client's clock,
 *       commit. On any error abort; on code 11000 wait 100 milliseconds and try again, ten times; throw any other.
 *   <li>release: delete by {@code resourceId}.
 *   <li>A unique index on {@code resourceId}, and a TTL index on {@code createdAt} that deletes the lock of a
 *       crashed client.
 * </ol>
 *
 * <p>Weaknesses: the release deletes the lock of any holder, so that a late holder releases its successor's lock.
 * Expiry is left to the TTL monitor, which runs once a minute and compares its clock with the client's. There is no
 * renewal, so that work that takes longer than the lease and the monitor's interval loses the lock without notice. The
 * transaction has no effect: it has ended before the work begins, and the unique index alone decides. A write conflict
 * is thrown although it means contention, and a commit whose reply is lost leaves a lock without a holder.
 */
record TransactionWrappedInsert(InstantSource clock, Duration ttl) implements Textbook {
    static final String NAME = "textbook-transaction-insert";

    private static final String RESOURCE = "resourceId";
    private static final String CREATED_AT = "createdAt";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<BsonDocument> indexes() {
        return List.of(
                Textbook.index(RESOURCE).append("unique", BsonBoolean.TRUE),
                Textbook.index(CREATED_AT).append("expireAfterSeconds", new BsonInt32((int) ttl.toSeconds())));
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        return Step.call(
                boundary(Boundary.START),
                started -> Step.call(insert(context), reply -> {
                    return reply instanceof Reply.Failed failed ? abort(context, failed) : commit(context);
                }));
    }

    @Override
    public Step<Boolean> unlock(LockName name, Owner owner) {
        return Step.call(new MongoOp.DeleteOne(NAME + "/release", LOCKS, resource(name)), Step::matched);
    }

    private MongoOp insert(AcquireContext context) {
        BsonDocument lock = resource(context.name())
                .append(CREATED_AT, new BsonDateTime(clock.instant().toEpochMilli()))
                .append("clientId", new BsonString(context.owner().stored()));
        return new MongoOp.InsertOne(NAME + "/insert", LOCKS, lock);
    }

    private static Step<LockOutcome> commit(AcquireContext context) {
        return Step.call(
                boundary(Boundary.COMMIT),
                reply -> reply instanceof Reply.Failed failed ? abort(context, failed) : Textbook.acquired(context));
    }

    private static Step<LockOutcome> abort(AcquireContext context, Reply.Failed failed) {
        return Step.call(
                boundary(Boundary.ABORT),
                aborted -> failed.failedWith(Fault.DUPLICATE_KEY)
                        ? Textbook.contended(context)
                        : Step.fail(Textbook.thrown(failed)));
    }

    private static BsonDocument resource(LockName name) {
        return new BsonDocument(RESOURCE, new BsonString(name.value()));
    }

    private static MongoOp boundary(Boundary boundary) {
        return new MongoOp.Transaction(NAME + "/" + boundary, boundary);
    }
}
