package org.mongolocks.strategy.transactional;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
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

/**
 * The counter of a lock's tokens, a document {@code {_id, format, n}} that is never deleted. All commands select by name
 * and format: another document with the name, in a collection that an application uses too, is never changed. A counter
 * that was restored from an older backup than the lock document is raised by the next grant.
 */
final class FenceCounter {
    static final LockCollection FENCES = new LockCollection("fences", Optional.empty());

    private static final String COUNT = "n";
    private static final String FORMAT = TransactionalStrategy.FORMAT;

    private FenceCounter() {}

    /**
     * Returns a program that increments the counter and ends with the next token. It fails with a duplicate key if a
     * document of another format has the name; see {@link #foreignOr}.
     */
    static Step<BsonValue> next(LockName name) {
        BsonDocument oneMore = new BsonDocument("$inc", new BsonDocument(COUNT, new BsonInt64(1)));
        MongoOp count = new MongoOp.FindOneAndUpdate(
                TransactionalStrategy.NAME + "/count",
                FENCES.name(),
                own(LeaseDocument.named(name)),
                UpdateSpec.operators(oneMore),
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
                                FENCES.name(),
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
                FENCES.name(),
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
                new MongoOp.BulkUpdate(TransactionalStrategy.NAME + "/raise-counts", FENCES.name(), updates),
                Step::matchCount);
    }

    /** Reads why a counter could not be created: fails if a document of another format has its name. */
    static <R> Step<R> foreignOr(LockName name, Supplier<Step<R>> then) {
        MongoOp find = new MongoOp.FindOne(
                TransactionalStrategy.NAME + "/read-count", FENCES.name(), LeaseDocument.named(name), Optional.empty());
        return Step.call(
                find,
                reply -> reply instanceof Reply.Found found
                        ? found.document()
                                .flatMap(stored -> ForeignFormatException.in(stored, FORMAT, FENCES.name()))
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
        return UpdateSpec.operators(new BsonDocument("$max", new BsonDocument(COUNT, new BsonInt64(token))));
    }

    private static Step<BsonValue> counted(Reply reply) {
        if (reply instanceof Reply.Found found && found.document().isPresent()) {
            return Step.done(new BsonInt64(LeaseReader.number(found.document().get(), COUNT)));
        }
        return Step.fail(reply);
    }
}
