package org.mongolocks.reactive;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.result.UpdateResult;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoCollection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Fence;
import org.mongolocks.StaleTokenException;
import org.mongolocks.internal.fence.FencedDocuments;
import org.mongolocks.internal.run.DriverOptions;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * A collection of documents that a lock guards, as one holder uses it: each document is touched first and then written,
 * and writes of a former holder are refused. See {@link Fence} for the rule.
 *
 * <pre>{@code
 * ReactiveFencedCollection<Document> accounts = ReactiveFencedCollection.of(collection, lock);
 * accounts.touch(eq("_id", 7))
 *         .flatMap(account -> accounts.update(eq("_id", 7), set("balance", account.getInteger("balance") + 5)));
 * }</pre>
 *
 * Writes are majority and journalled, on the primary, whatever the collection's own concerns are; in a transaction its
 * concerns apply. The driver's errors are not wrapped. If the reply to a touch was lost, touch again; if the reply to
 * an update was lost, and the driver did not retry it, the update may have been done: touch again and check. The same
 * holds after a cancellation. Nothing is sent before a subscription. Thread-safe, unless it is in a session.
 *
 * @param <T> the type of the documents
 */
public final class ReactiveFencedCollection<T> {
    private final MongoCollection<BsonDocument> collection;
    private final FencedDocuments<T> documents;
    private final @Nullable ClientSession session;

    private ReactiveFencedCollection(
            MongoCollection<BsonDocument> collection, FencedDocuments<T> documents, @Nullable ClientSession session) {
        this.collection = collection;
        this.documents = documents;
        this.session = session;
    }

    /**
     * Returns the view of a holder on a collection, with the fence in its {@linkplain Fence#DEFAULT_FIELD default
     * field}. No round trip.
     *
     * @param collection the collection; its types and codecs are kept
     * @param lock the lock that guards the documents
     * @param <T> the type of the documents
     * @return the collection for this holder
     */
    public static <T> ReactiveFencedCollection<T> of(MongoCollection<T> collection, ReactiveHeldLock lock) {
        return of(
                collection,
                Fence.of(Objects.requireNonNull(lock, "The lock is null").fencingToken()));
    }

    /**
     * Returns the view of a holder on a collection. No round trip.
     *
     * @param collection the collection; its types and codecs are kept
     * @param fence the token of the holder, and the field that stores it
     * @param <T> the type of the documents
     * @return the collection for this holder
     */
    public static <T> ReactiveFencedCollection<T> of(MongoCollection<T> collection, Fence fence) {
        Objects.requireNonNull(collection, "The collection is null");
        Objects.requireNonNull(fence, "The fence is null");
        FencedDocuments<T> documents =
                new FencedDocuments<>(fence, collection.getDocumentClass(), collection.getCodecRegistry());
        MongoCollection<BsonDocument> durable = collection
                .withDocumentClass(BsonDocument.class)
                .withCodecRegistry(documents.registry())
                .withWriteConcern(DriverOptions.DURABLE)
                .withReadPreference(ReadPreference.primary())
                .withReadConcern(ReadConcern.LOCAL);
        return new ReactiveFencedCollection<>(durable, documents, null);
    }

    /**
     * Returns the same collection in a session, and in its transaction if one is open.
     *
     * @param in the session
     * @return the same collection in that session
     */
    public ReactiveFencedCollection<T> in(ClientSession in) {
        return new ReactiveFencedCollection<>(collection, documents, in);
    }

    /**
     * Reads a document and stores the token in it, in one command. From then on smaller tokens are refused.
     *
     * @param filter the filter of the document
     * @return emits the document as it is now, or nothing if none matches. Fails with {@link StaleTokenException} if
     *     the document has seen a larger token: the lock is lost, and the document unchanged; with
     *     {@link IllegalStateException} if the field of the fence holds something other than a number.
     */
    public Mono<T> touch(Bson filter) {
        return change(Objects.requireNonNull(filter, "The filter is null"), documents.touch(), false)
                .map(documents::touched);
    }

    /**
     * Touches a document as {@link #touch} does, and creates it if it is missing. When several clients create it at
     * once, one succeeds, and the others touch the new document.
     *
     * @param filter the filter of the document, with at least its {@code _id}; a new document has the values of the
     *     filter
     * @param initial other fields of a new document, for example {@code new Document("balance", 0)}, or an empty
     *     document; not an update such as {@code Updates.set(...)}
     * @return emits the document as it is now. Fails as {@link #touch}; with {@link IllegalArgumentException} if the
     *     filter has no {@code _id}, which alone prevents a second document, or if {@code initial} has the field of the
     *     fence or an operator such as {@code $set}; with {@link MongoException} if the document exists and does not
     *     match the rest of the filter, or another unique index forbids a new one.
     */
    public Mono<T> touchOrCreate(Bson filter, Bson initial) {
        return Mono.defer(() -> change(documents.requireId(filter), documents.touchOrCreate(initial), true))
                .retryWhen(Retry.max(FencedDocuments.MAX_TRIES - 1)
                        .filter(this::isLostRace)
                        .onRetryExhaustedThrow((spec, signal) -> signal.failure()))
                .map(documents::touched);
    }

    /**
     * Writes a document that was touched with this token. One round trip; two if nothing was written.
     *
     * @param filter the filter of the document
     * @param update the update, by operators; it must not change the field of the fence
     * @return emits true if it was written; false if no document matches the filter. Fails with
     *     {@link StaleTokenException} if the document has seen a larger token, and nothing was written; with
     *     {@link IllegalStateException} if the document was not touched with this token; with
     *     {@link IllegalArgumentException} if the update changes the field of the fence.
     */
    public Mono<Boolean> update(Bson filter, Bson update) {
        Bson own = documents.writeFilter(filter);
        Bson marked = documents.write(update);
        return written(
                filter,
                () -> session == null ? collection.updateOne(own, marked) : collection.updateOne(session, own, marked));
    }

    /**
     * Writes a document that was touched with this token, by a pipeline; see {@link #update(Bson, Bson)}. Strings in a
     * pipeline that begin with {@code $} are expressions: put values in {@code $literal}.
     *
     * @param filter the filter of the document
     * @param stages the update, by stages
     * @return emits true if it was written; false if no document matches the filter. Fails as
     *     {@link #update(Bson, Bson)}.
     */
    public Mono<Boolean> update(Bson filter, List<? extends Bson> stages) {
        Bson own = documents.writeFilter(filter);
        List<Bson> marked = documents.write(stages);
        return written(
                filter,
                () -> session == null ? collection.updateOne(own, marked) : collection.updateOne(session, own, marked));
    }

    private Mono<Boolean> written(Bson filter, Supplier<Publisher<UpdateResult>> write) {
        return Mono.defer(() -> Mono.from(write.get()))
                .flatMap(result -> result.getMatchedCount() > 0 ? Mono.just(true) : missed(filter));
    }

    /**
     * Distinguishes a missing document from a refused one; a document that was created in between counts as missing.
     */
    private Mono<Boolean> missed(Bson filter) {
        return Mono.defer(() -> Mono.from(
                        (session == null ? collection.find(filter) : collection.find(session, filter)).first()))
                .doOnNext(documents::requireTouched)
                .thenReturn(false);
    }

    private Mono<BsonDocument> change(Bson filter, Bson update, boolean upsert) {
        FindOneAndUpdateOptions options =
                new FindOneAndUpdateOptions().upsert(upsert).returnDocument(ReturnDocument.AFTER);
        return Mono.defer(() -> Mono.from(
                session == null
                        ? collection.findOneAndUpdate(filter, update, options)
                        : collection.findOneAndUpdate(session, filter, update, options)));
    }

    /** A duplicate key ends a transaction, so that nothing can be retried in it. */
    private boolean isLostRace(Throwable error) {
        return (session == null || !session.hasActiveTransaction()) && FencedDocuments.isDuplicateId(error);
    }
}
