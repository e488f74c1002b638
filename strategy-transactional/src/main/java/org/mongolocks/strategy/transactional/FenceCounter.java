package org.mongolocks.strategy.transactional;

import static org.mongolocks.spi.LockSchema.LockFields.RENEWED_AT;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.spi.Expressions;
import org.mongolocks.spi.ForeignFormatException;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.BulkUpdate.Update;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.lease.LeaseDocument;
import org.mongolocks.spi.lease.LeaseReader;
import org.mongolocks.spi.lease.LeaseUpdates;

/**
 * The counter of a lock's tokens, a document {@code {_id, format, n, renewedAt}} that outlasts the lock document: the server
 * deletes it 48 hours after its last change. All commands select by name
 * and format: another document with the name, in a collection that an application uses too, is never changed. A counter
 * that was restored from an older backup than the lock document is raised by the next grant.
 */
final class FenceCounter {
    private static final String FENCES = "fences";
    private static final String COUNT = "n";
    private static final String FORMAT = TransactionalStrategy.FORMAT;

    private FenceCounter() {}

    /** Returns the collection of the counters; they are cleaned up as the lock documents are. */
    static LockCollection collection(LockCollection locks) {
        return new LockCollection(FENCES, locks.ttl());
    }

    /**
     * Returns a program that counts, from the server's time in milliseconds, and ends with the next token. It fails with a duplicate key if a
     * document of another format has the name; see {@link #foreignOr}.
     */
    static Step<BsonValue> next(LockName name) {
        BsonDocument counted =
                new BsonDocument(COUNT, LeaseUpdates.nextToken(COUNT)).append(RENEWED_AT, Expressions.NOW);
        MongoOp count = new MongoOp.FindOneAndUpdate(
                TransactionalStrategy.NAME + "/count",
                FENCES,
                own(LeaseDocument.named(name)),
                UpdateSpec.pipeline(new BsonDocument("$set", counted)),
                true);
        return Step.call(count, FenceCounter::counted);
    }

    /**
     * Returns a program that raises a counter to a token that was not taken from it; if the counter has that value
     * nothing is sent.
     */
    static <R> Step<R> raisedTo(LockName name, long token, BsonValue count, Supplier<Step<R>> then) {
        return token <= count.asInt64().getValue()
                ? then.get()
                : Step.call(
                        new MongoOp.UpdateOne(
                                TransactionalStrategy.NAME + "/raise-count",
                                FENCES,
                                own(LeaseDocument.named(name)),
                                atLeast(token),
                                true),
                        reply -> reply instanceof Reply.Failed ? Step.fail(reply) : then.get());
    }

    /** Returns a program that raises the counters of a query, and ends with their number. */
    static Step<Long> raiseAll(LockQuery query, long floor) {
        return raise(query, floor, 0);
    }

    private static Step<Long> raise(LockQuery query, long floor, long before) {
        MongoOp find = new MongoOp.FindMany(
                TransactionalStrategy.NAME + "/list-counts",
                FENCES,
                own(LeaseDocument.named(query)).append(COUNT, below(floor)),
                Optional.empty(),
                query.limit());
        return Step.call(
                find,
                reply -> reply instanceof Reply.FoundMany found
                        ? raised(found.documents(), query, floor, before)
                        : Step.fail(reply));
    }

    private static Step<Long> raised(List<BsonDocument> page, LockQuery query, long floor, long before) {
        if (page.isEmpty()) {
            return Step.done(before);
        }
        String last = page.get(page.size() - 1).getString(LockFields.ID).getValue();
        return raisePage(page, floor)
                .andThen(count -> page.size() < query.limit()
                        ? Step.done(before + count)
                        : raise(query.after(last), floor, before + count));
    }

    private static Step<Long> raisePage(List<BsonDocument> page, long floor) {
        List<Update> updates = page.stream()
                .map(counter -> new Update(
                        own(new BsonDocument(LockFields.ID, counter.get(LockFields.ID)))
                                .append(COUNT, below(floor)),
                        atLeast(floor)))
                .toList();
        return Step.call(
                new MongoOp.BulkUpdate(TransactionalStrategy.NAME + "/raise-counts", FENCES, updates),
                Step::matchCount);
    }

    /** Reads why a counter could not be created: fails if a document of another format has its name. */
    static <R> Step<R> foreignOr(LockName name, Supplier<Step<R>> then) {
        MongoOp find = new MongoOp.FindOne(
                TransactionalStrategy.NAME + "/read-count", FENCES, LeaseDocument.named(name), Optional.empty());
        return Step.call(
                find,
                reply -> reply instanceof Reply.Found found
                        ? found.document()
                                .flatMap(stored -> ForeignFormatException.in(stored, FORMAT, FENCES))
                                .map(Step::<R>fail)
                                .orElseGet(then)
                        : Step.fail(reply));
    }

    private static BsonDocument own(BsonDocument filter) {
        return filter.append(LockFields.FORMAT, new BsonString(FORMAT));
    }

    private static BsonDocument below(long floor) {
        return new BsonDocument("$lt", new BsonInt64(floor));
    }

    private static UpdateSpec atLeast(long token) {
        return UpdateSpec.operators(new BsonDocument("$max", new BsonDocument(COUNT, new BsonInt64(token)))
                .append("$currentDate", new BsonDocument(RENEWED_AT, BsonBoolean.TRUE)));
    }

    private static Step<BsonValue> counted(Reply reply) {
        if (reply instanceof Reply.Found found && found.document().isPresent()) {
            return Step.done(new BsonInt64(LeaseReader.number(found.document().get(), COUNT)));
        }
        return Step.fail(reply);
    }
}
