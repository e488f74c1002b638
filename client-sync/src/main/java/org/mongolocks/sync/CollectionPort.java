package org.mongolocks.sync;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import java.util.Optional;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.sync.StepRunner.InterruptPolicy;

/**
 * The executor of the reads and writes of one document at a time in a collection of the user, without a session of the
 * library's: a write without a reply may be executed late.
 *
 * @param collection the collection, whatever the operations name
 * @param runs the runs of its programs
 */
record CollectionPort(MongoCollection<BsonDocument> collection, ClientRuns runs) implements StepRunner.Port {
    private static final FindOneAndUpdateOptions AFTER =
            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);

    /** Nothing of the user's runs in these calls: the driver's state is illegal because its client is closed. */
    @Override
    public <X extends Exception> Reply send(MongoOp op, InterruptPolicy<X> interrupts) throws X {
        ClientRuns.Command command = runs.begin(op, () -> 0, false, runs.nanoTime());
        return SyncPort.reply(
                command, interrupts, () -> true, () -> new Reply.Found(Optional.ofNullable(document(op))));
    }

    @Override
    public TimeBudget limit() {
        return TimeBudget.perCommand(runs.commandTimeout());
    }

    private @Nullable BsonDocument document(MongoOp op) {
        if (op instanceof MongoOp.FindOne find) {
            return collection.find(find.filter()).first();
        }
        MongoOp.FindOneAndUpdate write = (MongoOp.FindOneAndUpdate) op;
        return write.change()
                .<@Nullable BsonDocument>fold(
                        operators -> collection.findOneAndUpdate(write.filter(), operators, AFTER),
                        stages -> collection.findOneAndUpdate(write.filter(), stages, AFTER));
    }
}
