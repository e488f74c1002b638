package org.mongolocks.reactive;

import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.reactivestreams.client.MongoCollection;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.mongolocks.CheckReturnValue;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockException;
import org.mongolocks.UpdateConflictException;
import org.mongolocks.internal.base.CallerLoader;
import org.mongolocks.internal.optimistic.OptimisticDocuments;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.run.DriverOptions;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.Run;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.reactive.ProgramMono.Cancellation;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.time.TimeSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * A collection whose documents are updated one at a time without a lock: an update reads the document, applies a
 * function, and writes the result if the version has not changed since; else it repeats that after a random wait.
 *
 * <pre>{@code
 * ReactiveOptimisticCollection<Account> accounts = ReactiveOptimisticCollection.of(collection);
 * Mono<Account> after = accounts.update(7, account -> account.deposit(5));
 * }</pre>
 *
 * A document has two more fields, which every writer must use; the type need not have them. A missing version means 0.
 *
 * <pre>{@code
 * {_id: 7, balance: 105,
 *  version: NumberLong(12),                                      // incremented by each change
 *  versionMarks: [..., {v: NumberLong(12), by: "93ab..."}]}      // the writers of the last 8 versions
 * }</pre>
 *
 * The marks show after a lost reply whether the write was executed, so that no change is made twice. They also tell a
 * document from one that was inserted with the same id after it was deleted, but only if one of the two has marks: insert
 * such a document with a version that it has never had. In a transaction use the driver's {@code withTransaction}: there
 * another writer's change is a conflict that ends the transaction, which the driver repeats.
 *
 * <p>Writes are majority and journalled, reads are from the primary, whatever the collection's own concerns are. Each
 * command has the collection's time limit, or else {@link LockClientBuilder#DEFAULT_COMMAND_TIMEOUT}. A sharded
 * collection must be sharded by {@code _id}, or be on a server that updates without the shard key. Immutable and
 * thread-safe.
 *
 * @param <T> the type of the documents
 */
public final class ReactiveOptimisticCollection<T> {
    private static final FindOneAndUpdateOptions AFTER =
            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);

    private final Port port;
    private final ClientThreads threads;
    private final OptimisticDocuments<T> documents;

    private ReactiveOptimisticCollection(Port port, ClientThreads threads, OptimisticDocuments<T> documents) {
        this.port = port;
        this.threads = threads;
        this.documents = documents;
    }

    /**
     * Returns the view of a collection for optimistic updates. No round trip. Keep it: it has threads of its own for
     * waits, which end when they are idle.
     *
     * @param collection the collection; its types and codecs are kept
     * @param <T> the type of the documents
     * @return the collection
     */
    public static <T> ReactiveOptimisticCollection<T> of(MongoCollection<T> collection) {
        Objects.requireNonNull(collection, "The collection is null");
        OptimisticDocuments<T> documents = OptimisticDocuments.of(
                collection.getNamespace(), collection.getDocumentClass(), collection.getCodecRegistry());
        ClientRuns runs = ClientRuns.ofPrograms(
                LockClientBuilder.DEFAULT_COMMAND_TIMEOUT, new ConnectionShortage(TimeSource.system()));
        MongoCollection<BsonDocument> durable = ReactivePort.durable(collection, documents.registry());
        MongoCollection<BsonDocument> timed =
                DriverOptions.requireSupported(() -> durable.getTimeout(TimeUnit.MILLISECONDS) != null
                        ? durable
                        : durable.withTimeout(runs.commandTimeout().toMillis(), TimeUnit.MILLISECONDS));
        return new ReactiveOptimisticCollection<>(new Port(timed, runs), ClientThreads.of(runs), documents);
    }

    /**
     * Returns the same collection with other fields than {@code version} and {@code versionMarks}, which are the same for
     * all writers of a document.
     *
     * @param version the name of a top-level field
     * @param versionMarks the name of another
     * @return the same collection with these fields
     * @throws IllegalArgumentException if a name is empty, is {@code _id} or that of the other field, begins with
     *     {@code $}, or has a dot or a NUL character
     */
    @CheckReturnValue
    public ReactiveOptimisticCollection<T> withFields(String version, String versionMarks) {
        return new ReactiveOptimisticCollection<>(port, threads, documents.withFields(version, versionMarks));
    }

    /**
     * Returns the same collection with another bound of attempts than 10.
     *
     * @param most how often an update reads and changes the document, at least 1
     * @return the same collection with that bound
     * @throws IllegalArgumentException if it is less than 1
     */
    @CheckReturnValue
    public ReactiveOptimisticCollection<T> withAttempts(int most) {
        return new ReactiveOptimisticCollection<>(port, threads, documents.withAttempts(most));
    }

    /**
     * Returns the same collection with other waits after a lost race or a fault than 5 and 500 milliseconds: a random time
     * from zero up to {@code first}, then up to twice as long each time, and never longer than {@code cap}.
     *
     * @param first the bound of the first wait, 1 millisecond or more
     * @param cap the bound of all waits, from the first to {@link org.mongolocks.LockRequest#MAX_WAIT}
     * @return the same collection with these waits
     * @throws IllegalArgumentException if a bound is out of bounds
     */
    @CheckReturnValue
    public ReactiveOptimisticCollection<T> withWaits(Duration first, Duration cap) {
        return new ReactiveOptimisticCollection<>(port, threads, documents.withWaits(first, cap));
    }

    /**
     * Updates a document, once for each subscriber. Only top-level fields in which the result of the function differs from
     * its argument are written, each as a whole; a field that the result lacks is removed. Other fields stay as they are,
     * also those that the type does not have. An equal result writes nothing. Two round trips, as many for each further
     * attempt; one if nothing is written. A cancellation stops it; the command in flight may be executed. Signals arrive
     * on threads of the driver or of the library: do not block there.
     *
     * @param id the {@code _id} of the document
     * @param change returns the document as it should be, from the document as it is, which it may change. It is called
     *     once for each attempt, must not block, and must have no side effects. It must not change {@code _id}, version
     *     and marks.
     * @return emits the document as it is stored afterwards, after a lost reply perhaps with later changes of other
     *     writers, or nothing if there is none. Fails with {@link UpdateConflictException} if each attempt lost the race,
     *     and nothing was written; with {@link IndeterminateOutcomeException} if the reply to the write was lost, and the
     *     document does not show whether it was executed: the change was made once or not at all; with
     *     {@link org.mongolocks.ClientClosedException} if the driver's client is closed; with {@link LockException} if a
     *     command failed, or the result is larger than 16 MB, and nothing was written; with
     *     {@link IllegalArgumentException} if the result of the function cannot be written; with
     *     {@link IllegalStateException} if the version of the document is not an integer, or its marks are no array; with
     *     {@link NullPointerException} if the function returns null.
     */
    public Mono<T> update(Object id, UnaryOperator<T> change) {
        Objects.requireNonNull(id, "The id is null");
        Objects.requireNonNull(change, "The change is null");
        LockTask task = LockTask.withoutLock("The update of " + documents.describe(id));
        CallerLoader caller = CallerLoader.ofThisThread();
        return threads.deliver(ClientThreads.afterPreparation(Mono.defer(() -> StepRunner.result(
                        port,
                        threads,
                        Run.of(
                                port.runs(),
                                task,
                                TimeBudget.perCommand(port.runs().commandTimeout()),
                                () -> documents.program(id, document -> caller.call(() -> change.apply(document)))),
                        new Cancellation(true)))))
                .flatMap(outcome -> Mono.justOrEmpty(documents.result(id, outcome)));
    }

    /** Sends without a session of the library's: a write without a reply may be executed late. */
    private record Port(MongoCollection<BsonDocument> collection, ClientRuns runs) implements StepRunner.Port {
        /** Nothing of the user's runs in these calls: the driver's state is illegal because its client is closed. */
        @Override
        public Mono<Reply> send(MongoOp op) {
            return Mono.defer(() -> {
                ClientRuns.Command command = runs.begin(op, () -> 0, false, runs.nanoTime());
                return ReactivePort.reply(
                        command,
                        refusal -> Mono.just(command.refused(refusal)),
                        () -> ReactivePort.found(document(op)));
            });
        }

        private Publisher<BsonDocument> document(MongoOp op) {
            if (op instanceof MongoOp.FindOne find) {
                return collection.find(find.filter()).first();
            }
            MongoOp.FindOneAndUpdate write = (MongoOp.FindOneAndUpdate) op;
            BsonDocument operators = ((UpdateSpec.Operators) write.change()).operators();
            return collection.findOneAndUpdate(write.filter(), operators, AFTER);
        }
    }
}
