package org.mongolocks.contract.broken;

import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.BulkUpdate;
import org.mongolocks.spi.MongoOp.FindMany;
import org.mongolocks.spi.MongoOp.FindOne;
import org.mongolocks.spi.MongoOp.FindOneAndUpdate;
import org.mongolocks.spi.MongoOp.UpdateOne;
import org.mongolocks.spi.MongoOp.UpdateSpec;

/**
 * A change of one command of the protocol of a strategy.
 *
 * @param label the end of the command's label
 * @param isOfWaiter whether only the attempts of waiters are changed
 * @param filter replaces the filter
 * @param change replaces the update
 */
record Mutation(
        String label, boolean isOfWaiter, UnaryOperator<BsonDocument> filter, UnaryOperator<UpdateSpec> change) {
    /** Returns the mistake of a strategy that sends the changed command. */
    static Mistake of(String label, UnaryOperator<BsonDocument> filter, UnaryOperator<UpdateSpec> change) {
        return new Mutation(label, false, filter, change).mistake();
    }

    static Mistake ofFilter(String label, UnaryOperator<BsonDocument> filter) {
        return of(label, filter, UnaryOperator.identity());
    }

    static Mistake ofUpdate(String label, UnaryOperator<UpdateSpec> change) {
        return of(label, UnaryOperator.identity(), change);
    }

    Mistake mistake() {
        return Mistake.strategy(sound -> new MutatedStrategy(sound, this::applyTo));
    }

    private MongoOp applyTo(MongoOp op) {
        if (!op.label().endsWith(label) || (isOfWaiter && !isByWaiter(op))) {
            return op;
        }
        if (op instanceof FindOne look) {
            return new FindOne(op.label(), look.collection(), filter.apply(look.filter()), look.projection());
        }
        if (op instanceof FindMany look) {
            return new FindMany(
                    op.label(), look.collection(), filter.apply(look.filter()), look.projection(), look.limit());
        }
        if (op instanceof UpdateOne write) {
            return new UpdateOne(
                    op.label(),
                    write.collection(),
                    filter.apply(write.filter()),
                    change.apply(write.change()),
                    write.upsert());
        }
        if (op instanceof FindOneAndUpdate write) {
            return new FindOneAndUpdate(
                    op.label(),
                    write.collection(),
                    filter.apply(write.filter()),
                    change.apply(write.change()),
                    write.upsert(),
                    write.projection());
        }
        if (op instanceof BulkUpdate each) {
            return new BulkUpdate(
                    op.label(),
                    each.collection(),
                    each.updates().stream().map(this::mutated).toList());
        }
        return op;
    }

    private BulkUpdate.Update mutated(BulkUpdate.Update update) {
        return new BulkUpdate.Update(filter.apply(update.filter()), change.apply(update.change()));
    }

    private static boolean isByWaiter(MongoOp op) {
        return op instanceof FindOneAndUpdate attempt
                && attempt.projection()
                        .filter(fields -> fields.containsKey(LockFields.POSITION))
                        .isPresent();
    }
}
