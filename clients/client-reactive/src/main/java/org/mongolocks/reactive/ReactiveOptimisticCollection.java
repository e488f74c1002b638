package org.mongolocks.reactive;

import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.reactivestreams.client.MongoCollection;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.mongolocks.CheckReturnValue;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.internal.base.CallerLoader;
import org.mongolocks.internal.optimistic.OptimisticDocuments;
import org.mongolocks.internal.run.DriverOptions;
import org.mongolocks.internal.run.FaultClassifier;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * The {@code org.mongolocks.sync.OptimisticCollection} of the reactive driver: a collection whose documents are updated one
 * at a time without a lock. The same fields of a document detect other writers, so writers of both drivers may be mixed;
 * durability, time limits and sharding are the same.
 *
 * <pre>{@code
 * ReactiveOptimisticCollection<Account> accounts = ReactiveOptimisticCollection.of(collection);
 * Mono<Account> after = accounts.update(7, account -> account.deposit(5));
 * }</pre>
 *
 * Immutable and thread-safe.
 *
 * @param <T> the type of the documents
 */
public final class ReactiveOptimisticCollection<T> {
    private static final FindOneAndUpdateOptions AFTER =
            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);

    private final MongoCollection<BsonDocument> collection;
    private final OptimisticDocuments<T> documents;

    private ReactiveOptimisticCollection(MongoCollection<BsonDocument> collection, OptimisticDocuments<T> documents) {
        this.collection = collection;
        this.documents = documents;
    }

    /**
     * Returns the view of a collection for optimistic updates. No round trip.
     *
     * @param collection the collection; its types and codecs are kept
     * @param <T> the type of the documents
     * @return the collection
     */
    public static <T> ReactiveOptimisticCollection<T> of(MongoCollection<T> collection) {
        Objects.requireNonNull(collection, "The collection is null");
        OptimisticDocuments<T> documents = OptimisticDocuments.of(
                collection.getNamespace(), collection.getDocumentClass(), collection.getCodecRegistry());
        MongoCollection<BsonDocument> durable =
                ReactivePort.durable(collection, documents.documents().registry());
        long limit = LockClientBuilder.DEFAULT_COMMAND_TIMEOUT.toMillis();
        return new ReactiveOptimisticCollection<>(
                DriverOptions.requireSupported(() -> durable.getTimeout(TimeUnit.MILLISECONDS) != null
                        ? durable
                        : durable.withTimeout(limit, TimeUnit.MILLISECONDS)),
                documents);
    }

    /**
     * Returns the same collection with other fields than {@code version} and {@code versionMarks}, the same for all
     * writers of a document.
     *
     * @param version the name of a top-level field
     * @param versionMarks the name of another
     * @return the same collection with these fields
     * @throws IllegalArgumentException if a name cannot be that of a field, or is {@code _id}, or both are the same
     */
    @CheckReturnValue
    public ReactiveOptimisticCollection<T> withFields(String version, String versionMarks) {
        return new ReactiveOptimisticCollection<>(collection, documents.withFields(version, versionMarks));
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
        return new ReactiveOptimisticCollection<>(collection, documents.withAttempts(most));
    }

    /**
     * Returns the same collection with other bounds of the random waits after a lost race or a fault: they double from
     * {@code first} (5 milliseconds) to {@code cap} (500).
     *
     * @param first the bound of the first wait, 1 millisecond or more
     * @param cap the bound of all waits, from the first to {@link org.mongolocks.LockRequest#MAX_WAIT}
     * @return the same collection with these waits
     * @throws IllegalArgumentException if a bound is out of bounds
     */
    @CheckReturnValue
    public ReactiveOptimisticCollection<T> withWaits(Duration first, Duration cap) {
        return new ReactiveOptimisticCollection<>(collection, documents.withWaits(first, cap));
    }

    /**
     * Updates a document, once for each subscriber, as {@code OptimisticCollection.update} does, and in as many round
     * trips. A cancellation stops it; the command in flight may be executed. Signals arrive on threads of the driver, or
     * of Reactor's parallel scheduler after a wait: do not block there.
     *
     * @param id the {@code _id} of the document
     * @param change returns the document as it should be, from the document as it is, which it may change. It is called
     *     once for each attempt, must not block, and must have no side effects. It must not change {@code _id}, version
     *     and marks.
     * @return emits the document as it is stored afterwards, or nothing if there is none. Fails with the exceptions that
     *     {@code OptimisticCollection.update} throws, except that of an interrupt.
     */
    public Mono<T> update(Object id, UnaryOperator<T> change) {
        Objects.requireNonNull(id, "The id is null");
        Objects.requireNonNull(change, "The change is null");
        CallerLoader caller = CallerLoader.ofThisThread();
        return ClientThreads.afterPreparation(Mono.fromSupplier(
                        () -> documents.update(id, document -> caller.call(() -> change.apply(document)))))
                .flatMap(update -> next(update)
                        .repeat(() -> !update.isDone())
                        .then(Mono.defer(() -> Mono.justOrEmpty(update.result()))));
    }

    private Mono<Void> next(OptimisticDocuments<T>.Update update) {
        return Mono.defer(() -> update.pause().map(Mono::delay).orElse(Mono.empty()))
                .then(Mono.defer(() -> Mono.from(FatalErrors.call(() -> send(update)))))
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .onErrorResume(RuntimeException.class, e -> {
                    update.failed(
                            FaultClassifier.withoutSession(update.operators().isEmpty(), e));
                    return Mono.empty();
                })
                .doOnNext(found -> FatalErrors.run(() -> update.answered(found)))
                .then();
    }

    private Publisher<BsonDocument> send(OptimisticDocuments<T>.Update update) {
        return update.operators()
                .<Publisher<BsonDocument>>map(change -> collection.findOneAndUpdate(update.filter(), change, AFTER))
                .orElseGet(() -> collection.find(update.filter()).first());
    }
}
