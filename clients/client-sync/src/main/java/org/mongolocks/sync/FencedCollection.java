package org.mongolocks.sync;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import com.mongodb.client.result.UpdateResult;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Fence;
import org.mongolocks.StaleTokenException;
import org.mongolocks.internal.fence.FencedDocuments;
import org.mongolocks.internal.fence.FencedWrites;

/**
 * A collection of documents that a lock guards, as one holder uses it: each document is touched first and then written,
 * and writes of a former holder are refused. See {@link Fence} for the rule.
 *
 * <pre>{@code
 * FencedCollection<Document> accounts = FencedCollection.of(collection, lock);
 * Document account = accounts.touch(eq("_id", 7)).orElseThrow();
 * accounts.update(eq("_id", 7), set("balance", account.getInteger("balance") + 5));
 * }</pre>
 *
 * Writes are majority and journalled, on the primary, whatever the collection's own concerns are; in a transaction its
 * concerns apply. The driver's exceptions are not wrapped. If the reply to a touch was lost, touch again; if the reply
 * to a write was lost, and the driver did not retry it, the write may have been done: touch again and check.
 * Thread-safe, unless it is in a session.
 *
 * @param <T> the type of the documents
 */
public final class FencedCollection<T> {
    private final MongoCollection<BsonDocument> collection;
    private final FencedDocuments<T> documents;
    private final @Nullable ClientSession session;

    private FencedCollection(
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
    public static <T> FencedCollection<T> of(MongoCollection<T> collection, HeldLock lock) {
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
    public static <T> FencedCollection<T> of(MongoCollection<T> collection, Fence fence) {
        Objects.requireNonNull(collection, "The collection is null");
        Objects.requireNonNull(fence, "The fence is null");
        FencedDocuments<T> documents =
                new FencedDocuments<>(fence, collection.getDocumentClass(), collection.getCodecRegistry());
        return new FencedCollection<>(SyncPort.durable(collection, documents.registry()), documents, null);
    }

    /**
     * Returns the same collection in a session, and in its transaction if one is open.
     *
     * @param in the session
     * @return the same collection in that session
     */
    public FencedCollection<T> in(ClientSession in) {
        return new FencedCollection<>(collection, documents, in);
    }

    /**
     * Reads a document and stores the token in it, in one command. From then on smaller tokens are refused.
     *
     * @param filter the filter of the document
     * @return the document as it is now, or empty if none matches
     * @throws StaleTokenException if the document has seen a larger token: the lock is lost, and the document unchanged
     * @throws IllegalStateException if the field of the fence holds something other than a number
     */
    public Optional<T> touch(Bson filter) {
        return Optional.ofNullable(
                        change(Objects.requireNonNull(filter, "The filter is null"), documents.touch(), false))
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
     * @return the document as it is now
     * @throws StaleTokenException as {@link #touch}
     * @throws IllegalArgumentException if the filter has no {@code _id}, which alone prevents a second document. Also
     *     if the filter or {@code initial} has the field of the fence, or {@code initial} a name with a dot, or an
     *     operator such as {@code $set}
     * @throws MongoException if the document exists and does not match the rest of the filter, or another unique index
     *     forbids a new one
     */
    public T touchOrCreate(Bson filter, Bson initial) {
        Bson one = documents.requireId(filter);
        Bson touch = documents.touchOrCreate(initial);
        for (int tries = 1; ; tries++) {
            try {
                return documents.touched(Objects.requireNonNull(change(one, touch, true)));
            } catch (MongoException e) {
                if (tries == FencedDocuments.MAX_TRIES || !isLostRace(e)) {
                    throw e;
                }
            }
        }
    }

    /**
     * Touches all documents that match a filter, for work on many documents under one lock. One round trip; two if a
     * document has seen this token or a larger one. Nothing is read: read the documents afterwards, on the primary and
     * with {@link Fence#writeFilter}. A document that is added to the matching ones later is not among them, and its
     * write is refused as of any document that was not touched. The driver does not retry this command: after a lost
     * reply, touch again.
     *
     * @param filter the filter of the documents
     * @return the number of documents that were touched
     * @throws StaleTokenException if a document has seen a larger token: the lock is lost. That document is unchanged;
     *     others may be touched, which prevents nothing but smaller tokens.
     * @throws IllegalStateException if the field of the fence holds something other than a number
     */
    public long touchAll(Bson filter) {
        Bson touch = documents.touch();
        UpdateResult touched =
                session == null ? collection.updateMany(filter, touch) : collection.updateMany(session, filter, touch);
        if (touched.getModifiedCount() < touched.getMatchedCount()) {
            requireTouched(find(documents.untouchable(filter)));
        }
        return touched.getMatchedCount();
    }

    /**
     * Writes a document that was touched with this token. One round trip; two if nothing was written.
     *
     * @param filter the filter of the document
     * @param update the update, by operators; it must not change the field of the fence
     * @return true if it was written; false if no document matches the filter
     * @throws StaleTokenException if the document has seen a larger token: nothing was written
     * @throws IllegalStateException if the document was not touched with this token
     * @throws IllegalArgumentException if the update changes the field of the fence, or is not by operators
     */
    public boolean update(Bson filter, Bson update) {
        return update(filter, update, new UpdateOptions());
    }

    /**
     * Writes a document that was touched with this token; see {@link #update(Bson, Bson)}.
     *
     * @param filter the filter of the document
     * @param update the update, by operators; it must not change the field of the fence
     * @param options the driver's options; not {@code upsert}, for which there is {@link #touchOrCreate}
     * @return true if it was written; false if no document matches the filter
     * @throws StaleTokenException if the document has seen a larger token: nothing was written
     * @throws IllegalStateException if the document was not touched with this token
     * @throws IllegalArgumentException if the update changes the field of the fence, is not by operators, or is an
     *     upsert
     */
    public boolean update(Bson filter, Bson update, UpdateOptions options) {
        return writeOne(documents.update(filter, update, options));
    }

    /**
     * Writes a document that was touched with this token, by a pipeline; see {@link #update(Bson, Bson)}. Strings in a
     * pipeline that begin with {@code $} are expressions: put values in {@code $literal}. Whatever the stages do to the
     * field of the fence, it keeps the token; see {@link Fence#write(List)}.
     *
     * @param filter the filter of the document
     * @param stages the update, by stages
     * @return true if it was written; false if no document matches the filter
     * @throws StaleTokenException if the document has seen a larger token: nothing was written
     * @throws IllegalStateException if the document was not touched with this token
     */
    public boolean update(Bson filter, List<? extends Bson> stages) {
        return update(filter, stages, new UpdateOptions());
    }

    /**
     * Writes a document that was touched with this token, by a pipeline; see {@link #update(Bson, List)}.
     *
     * @param filter the filter of the document
     * @param stages the update, by stages
     * @param options the driver's options; not {@code upsert}, for which there is {@link #touchOrCreate}
     * @return true if it was written; false if no document matches the filter
     * @throws StaleTokenException if the document has seen a larger token: nothing was written
     * @throws IllegalStateException if the document was not touched with this token
     * @throws IllegalArgumentException if the update is an upsert
     */
    public boolean update(Bson filter, List<? extends Bson> stages, UpdateOptions options) {
        return writeOne(documents.update(filter, stages, options));
    }

    /**
     * Replaces a document that was touched with this token; see {@link #replace(Bson, Object, ReplaceOptions)}.
     *
     * @param filter the filter of the document
     * @param replacement the new document
     * @return true if it was replaced; false if no document matches the filter
     * @throws StaleTokenException if the document has seen a larger token: nothing was written
     * @throws IllegalStateException if the document was not touched with this token
     * @throws IllegalArgumentException if the replacement changes the field of the fence
     */
    public boolean replace(Bson filter, T replacement) {
        return replace(filter, replacement, new ReplaceOptions());
    }

    /**
     * Replaces a document that was touched with this token. The new document keeps the token, also if its type has no
     * field for it. If a second lock protects the document with a fence of its own, the replacement must have the field
     * of that fence, or its token is lost. One round trip; two if nothing was written.
     *
     * @param filter the filter of the document
     * @param replacement the new document, whose field of the fence is missing, null, zero or this token
     * @param options the driver's options; not {@code upsert}, for which there is {@link #touchOrCreate}
     * @return true if it was replaced; false if no document matches the filter
     * @throws StaleTokenException if the document has seen a larger token: nothing was written
     * @throws IllegalStateException if the document was not touched with this token
     * @throws IllegalArgumentException if the replacement changes the field of the fence, or may be inserted
     */
    public boolean replace(Bson filter, T replacement, ReplaceOptions options) {
        return writeOne(documents.replace(filter, replacement, options));
    }

    /**
     * Deletes a document that was touched with this token; see {@link #delete(Bson, DeleteOptions)}.
     *
     * @param filter the filter of the document
     * @return true if it was deleted; false if no document matches the filter
     * @throws StaleTokenException if the document has seen a larger token: it is unchanged
     * @throws IllegalStateException if the document was not touched with this token
     */
    public boolean delete(Bson filter) {
        return delete(filter, new DeleteOptions());
    }

    /**
     * Deletes a document that was touched with this token. Its fence is deleted with it: a {@link #touch} of a former
     * holder then finds nothing, but its {@link #touchOrCreate} would create the document again. If documents are
     * created under the lock, do not delete them: {@linkplain #update(Bson, Bson) update} a field such as
     * {@code deleted: true}. One round trip; two if nothing was deleted.
     *
     * @param filter the filter of the document
     * @param options the driver's options
     * @return true if it was deleted; false if no document matches the filter
     * @throws StaleTokenException if the document has seen a larger token: it is unchanged
     * @throws IllegalStateException if the document was not touched with this token
     */
    public boolean delete(Bson filter, DeleteOptions options) {
        return writeOne(documents.delete(filter, options));
    }

    /**
     * Writes documents that were touched with this token, in the given order; see
     * {@link #bulkWrite(List, BulkWriteOptions)}.
     *
     * @param writes the writes, each an {@link UpdateOneModel}, a {@link ReplaceOneModel} or a {@link DeleteOneModel}
     * @return the number of writes that found their document
     * @throws StaleTokenException as {@link #bulkWrite(List, BulkWriteOptions)}
     * @throws IllegalStateException as {@link #bulkWrite(List, BulkWriteOptions)}
     * @throws IllegalArgumentException as {@link #bulkWrite(List, BulkWriteOptions)}
     */
    public long bulkWrite(List<? extends WriteModel<? extends T>> writes) {
        return bulkWrite(writes, new BulkWriteOptions());
    }

    /**
     * Writes documents that were touched with this token. Each write is refused or done by itself: one that finds no
     * document stops no other, not even an ordered one. So the rest is written also if an exception says that one was
     * refused. For all or nothing, write {@linkplain #in in a transaction} and abort it after an exception. Without
     * writes nothing is sent.
     *
     * <p>Round trips: those of the driver's bulk. If fewer documents matched than there are writes, one more read, for
     * each 1000 writes and each collation or hint, searches for a document that matches one of the filters without
     * having this token. If there is none, documents are missing, and the number returned is smaller.
     *
     * @param writes the writes, each an {@link UpdateOneModel}, a {@link ReplaceOneModel} or a {@link DeleteOneModel},
     *     as {@link #update(Bson, Bson, UpdateOptions) update}, {@link #replace(Bson, Object, ReplaceOptions) replace}
     *     and {@link #delete(Bson, DeleteOptions) delete} take them
     * @param options the driver's options
     * @return the number of writes that found their document
     * @throws StaleTokenException if a write found no document, and a document that matches one of the filters has seen
     *     a larger token
     * @throws IllegalStateException if a write found no document, and a document that matches one of the filters was
     *     not touched with this token
     * @throws IllegalArgumentException if a write changes the field of the fence, is an upsert, an insert, or a write of
     *     many documents: nothing was written
     * @throws com.mongodb.MongoBulkWriteException if a write failed: an ordered bulk ends with it, an unordered one does
     *     all others. Whether a token is stale is not checked.
     */
    public long bulkWrite(List<? extends WriteModel<? extends T>> writes, BulkWriteOptions options) {
        return write(documents.writes(writes, options));
    }

    private boolean writeOne(FencedWrites one) {
        try {
            return write(one) > 0;
        } catch (MongoBulkWriteException e) {
            throw FencedWrites.single(e);
        }
    }

    /** Distinguishes missing documents from refused ones; a document that was created in between counts as missing. */
    private long write(FencedWrites writes) {
        if (writes.models().isEmpty()) {
            return 0;
        }
        long written = FencedWrites.written(
                session == null
                        ? collection.bulkWrite(writes.models(), writes.options())
                        : collection.bulkWrite(session, writes.models(), writes.options()));
        if (written < writes.models().size()) {
            writes.searches()
                    .forEach(search -> requireTouched(find(search.filter())
                            .collation(search.matching().collation())
                            .hint(search.matching().hint())
                            .hintString(search.matching().hintString())
                            .let(search.let())));
        }
        return written;
    }

    private FindIterable<BsonDocument> find(Bson filter) {
        return session == null ? collection.find(filter) : collection.find(session, filter);
    }

    private void requireTouched(FindIterable<BsonDocument> found) {
        BsonDocument largest = found.sort(documents.largestTokenFirst()).first();
        if (largest != null) {
            documents.requireTouched(largest);
        }
    }

    /** A duplicate key ends a transaction, so that nothing can be retried in it. */
    private boolean isLostRace(MongoException e) {
        return (session == null || !session.hasActiveTransaction()) && FencedDocuments.isDuplicateId(e);
    }

    private @Nullable BsonDocument change(Bson filter, Bson update, boolean upsert) {
        FindOneAndUpdateOptions options =
                new FindOneAndUpdateOptions().upsert(upsert).returnDocument(ReturnDocument.AFTER);
        return session == null
                ? collection.findOneAndUpdate(filter, update, options)
                : collection.findOneAndUpdate(session, filter, update, options);
    }
}
