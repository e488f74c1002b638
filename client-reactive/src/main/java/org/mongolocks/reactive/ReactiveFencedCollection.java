package org.mongolocks.reactive;

import com.mongodb.MongoClientSettings;
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
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Fence;
import org.mongolocks.StaleTokenException;
import org.mongolocks.internal.FencedDocuments;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Is a collection of documents that a lock guards, seen by one holder: each document is touched first and then written, and
 * a holder who is late is refused. See {@link Fence} for the rule.
 *
 * <pre>{@code
 * ReactiveFencedCollection<Document> accounts = ReactiveFencedCollection.of(collection, Fence.of(lock.lease()));
 * accounts.touch(eq("_id", 7))
 *         .flatMap(account -> accounts.update(eq("_id", 7), set("balance", account.getInteger("balance") + 5)));
 * }</pre>
 *
 * Writes are majority and journalled, on the primary, whatever the collection's own concerns are; in a transaction its
 * concerns count. The driver's errors come as they are. When the reply to a touch was lost, touch again; when that to an
 * update was lost, and the driver did not retry it, the update may have been done: touch again and look. Cancelling leaves
 * that open too. Nothing is sent before something is subscribed. Thread-safe, unless it is in a session.
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
     * Sees a collection as a holder does. No round trip.
     *
     * @param collection the collection; its types and codecs are kept
     * @param fence the token of the holder, and where documents keep it
     * @param <T> the type of the documents
     * @return the collection for this holder
     */
    public static <T> ReactiveFencedCollection<T> of(MongoCollection<T> collection, Fence fence) {
        FencedDocuments<T> documents =
                new FencedDocuments<>(fence, collection.getDocumentClass(), withBson(collection.getCodecRegistry()));
        MongoCollection<BsonDocument> durable = collection
                .withDocumentClass(BsonDocument.class)
                .withCodecRegistry(documents.registry())
                .withWriteConcern(ReactivePort.DURABLE)
                .withReadPreference(ReadPreference.primary())
                .withReadConcern(ReadConcern.LOCAL);
        return new ReactiveFencedCollection<>(durable, documents, null);
    }

    /**
     * Has everything done in a session, and in its transaction if one is open.
     *
     * @param in the session
     * @return the same collection in that session
     */
    public ReactiveFencedCollection<T> in(ClientSession in) {
        return new ReactiveFencedCollection<>(collection, documents, in);
    }

    /**
     * Reads a document and marks it with the token, in one command. From then on smaller tokens are refused.
     *
     * @param filter which document
     * @return emits the document as it is now, or nothing if none matches. Fails with {@link StaleTokenException} if the
     *     document has seen a larger token: the lock is lost, and the document unchanged; with
     *     {@link IllegalStateException} if the field of the fence has something else than a number.
     */
    public Mono<T> touch(Bson filter) {
        return change(Objects.requireNonNull(filter, "The filter is null"), documents.touch(), false)
                .map(documents::touched);
    }

    /**
     * Touches a document as {@link #touch} does, and creates it if it is missing. When several create it at once, one does,
     * and the others touch what it has created.
     *
     * @param filter which document, by its {@code _id} at least; a new one has what the filter asks for
     * @param initial other fields of a new document, or an empty document
     * @return emits the document as it is now. Fails as {@link #touch}; with {@link IllegalArgumentException} if the filter
     *     names no {@code _id}, by which alone a second one is impossible, or if the fields have the field of the fence;
     *     with {@link MongoException} if the document is there and does not match the rest of the filter, or another unique
     *     index forbids a new one.
     */
    public Mono<T> touchOrCreate(Bson filter, Bson initial) {
        return Mono.defer(() -> change(documents.requireId(filter), documents.touchOrCreate(initial), true))
                .retryWhen(Retry.max(FencedDocuments.MOST_TRIES - 1)
                        .filter(this::isOutrun)
                        .onRetryExhaustedThrow((spec, signal) -> signal.failure()))
                .map(documents::touched);
    }

    /**
     * Writes a document that was touched with this token. One round trip; two if nothing was written.
     *
     * @param filter which document
     * @param update how, by operators; it leaves the field of the fence alone
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
     * @param filter which document
     * @param stages how
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

    /** Tells a missing document from a refused one; what has come between is missing then. */
    private Mono<Boolean> missed(Bson filter) {
        return Mono.defer(() -> Mono.from(
                        (session == null ? collection.find(filter) : collection.find(session, filter)).first()))
                .doOnNext(documents::requireSeen)
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

    /** A duplicate key ends a transaction, so that nothing can be tried again in it. */
    private boolean isOutrun(Throwable error) {
        return (session == null || !session.hasActiveTransaction()) && FencedDocuments.isOutrun(error);
    }

    private static CodecRegistry withBson(CodecRegistry codecs) {
        return CodecRegistries.fromRegistries(codecs, MongoClientSettings.getDefaultCodecRegistry());
    }
}
