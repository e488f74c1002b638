package org.mongolocks.reactive;

import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.reactivestreams.client.MongoCollection;
import org.bson.BsonDocument;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

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
    public Mono<Reply> send(MongoOp op) {
        return Mono.defer(() -> {
            ClientRuns.Command command = runs.begin(op, () -> 0, false, runs.nanoTime());
            return ReactivePort.reply(command, Mono.just(true), () -> ReactivePort.found(document(op)));
        });
    }

    @Override
    public <R> Step.Pause<R> paced(Step.Pause<R> pause) {
        return runs.paced(pause, TimeBudget.perCommand(runs.commandTimeout()));
    }

    private Publisher<BsonDocument> document(MongoOp op) {
        if (op instanceof MongoOp.FindOne find) {
            return collection.find(find.filter()).first();
        }
        MongoOp.FindOneAndUpdate write = (MongoOp.FindOneAndUpdate) op;
        return write.change()
                .fold(
                        operators -> collection.findOneAndUpdate(write.filter(), operators, AFTER),
                        stages -> collection.findOneAndUpdate(write.filter(), stages, AFTER));
    }
}
