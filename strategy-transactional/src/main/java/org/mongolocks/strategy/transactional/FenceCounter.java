package org.mongolocks.strategy.transactional;

import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.mongolocks.LockName;
import org.mongolocks.spi.Change;
import org.mongolocks.spi.LeaseDocument;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Snapshots;
import org.mongolocks.spi.Step;

/** Counts the tokens of a lock in a document of their own, {@code {_id, n}}, which is never deleted. */
final class FenceCounter {
    static final LockCollection FENCES = new LockCollection("fences", Optional.empty());

    private static final String COUNT = "n";

    private FenceCounter() {}

    /** Gives a program that counts up and ends with the next token. */
    static Step<BsonValue> next(LockName name) {
        BsonDocument oneMore = new BsonDocument("$inc", new BsonDocument(COUNT, new BsonInt64(1)));
        MongoOp count = new MongoOp.FindOneAndUpdate(
                TransactionalStrategy.NAME + "/count",
                FENCES.name(),
                LeaseDocument.named(name),
                Change.operators(oneMore),
                true);
        return Step.call(count, FenceCounter::counted);
    }

    private static Step<BsonValue> counted(Reply reply) {
        if (reply instanceof Reply.Found found && found.document().isPresent()) {
            return Step.done(new BsonInt64(Snapshots.number(found.document().get(), COUNT)));
        }
        return Step.fail(reply);
    }
}
