package org.mongolocks.sync;

import com.mongodb.MongoInterruptedException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.mongolocks.CheckReturnValue;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockException;
import org.mongolocks.LockInterruptedException;
import org.mongolocks.UpdateConflictException;
import org.mongolocks.internal.optimistic.OptimisticDocuments;
import org.mongolocks.internal.run.DriverOptions;
import org.mongolocks.internal.run.FaultClassifier;

/**
 * A collection whose documents are updated one at a time without a lock: an update reads the document, applies a
 * function, and writes the result if the version has not changed since. Else it repeats that after a random wait.
 *
 * <pre>{@code
 * OptimisticCollection<Account> accounts = OptimisticCollection.of(collection);
 * Optional<Account> after = accounts.update(7, account -> account.deposit(5));
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
 * document from one that was inserted again with its id, but only if one of the two has marks: insert such a document
 * with a version that it has never had. In a transaction use the driver's {@code withTransaction} instead.
 *
 * <p>Writes are majority and journalled, reads are from the primary, whatever the collection's own concerns are. Each
 * command has the collection's time limit, or else {@link LockClientBuilder#DEFAULT_COMMAND_TIMEOUT}. A sharded
 * collection must be sharded by {@code _id}, or be on a server that updates without the shard key. Immutable and
 * thread-safe.
 *
 * @param <T> the type of the documents
 */
public final class OptimisticCollection<T> {
    private static final FindOneAndUpdateOptions AFTER =
            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);

    private final MongoCollection<BsonDocument> collection;
    private final OptimisticDocuments<T> documents;

    private OptimisticCollection(MongoCollection<BsonDocument> collection, OptimisticDocuments<T> documents) {
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
    public static <T> OptimisticCollection<T> of(MongoCollection<T> collection) {
        Objects.requireNonNull(collection, "The collection is null");
        OptimisticDocuments<T> documents = OptimisticDocuments.of(
                collection.getNamespace(), collection.getDocumentClass(), collection.getCodecRegistry());
        MongoCollection<BsonDocument> durable =
                SyncPort.durable(collection, documents.documents().registry());
        long limit = LockClientBuilder.DEFAULT_COMMAND_TIMEOUT.toMillis();
        return new OptimisticCollection<>(
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
     * @throws IllegalArgumentException if a name is empty, is {@code _id} or that of the other field, begins with
     *     {@code $}, or has a dot or a NUL character
     */
    @CheckReturnValue
    public OptimisticCollection<T> withFields(String version, String versionMarks) {
        return new OptimisticCollection<>(collection, documents.withFields(version, versionMarks));
    }

    /**
     * Returns the same collection with another bound of attempts than 10.
     *
     * @param most how often an update reads and changes the document, at least 1
     * @return the same collection with that bound
     * @throws IllegalArgumentException if it is less than 1
     */
    @CheckReturnValue
    public OptimisticCollection<T> withAttempts(int most) {
        return new OptimisticCollection<>(collection, documents.withAttempts(most));
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
    public OptimisticCollection<T> withWaits(Duration first, Duration cap) {
        return new OptimisticCollection<>(collection, documents.withWaits(first, cap));
    }

    /**
     * Updates a document. Only top-level fields in which the result of the function differs from its argument are
     * written, each as a whole; a field that the result lacks is removed. Other fields stay, also those that the type
     * does not have. An equal result writes nothing. Two round trips for each attempt; one if nothing is written. Waits
     * block the calling thread.
     *
     * @param id the {@code _id} of the document
     * @param change returns the document as it should be, from the document as it is, which it may change. It is called
     *     once for each attempt, on the calling thread, and must have no side effects. It must not change {@code _id},
     *     version and marks.
     * @return the document as it is stored afterwards, after a lost reply perhaps with later changes of other writers;
     *     empty if there is none
     * @throws UpdateConflictException if each attempt lost the race; nothing was written
     * @throws IndeterminateOutcomeException if the reply to the write was lost, and the document does not show whether it
     *     was executed: the change was made once or not at all
     * @throws org.mongolocks.ClientClosedException if the driver's client is closed
     * @throws LockException if a command failed, or the result is larger than 16 MB; nothing was written
     * @throws LockInterruptedException if the thread is interrupted, whose flag is set again; the command in flight may
     *     have been executed
     * @throws IllegalArgumentException if the result of the function cannot be written
     * @throws IllegalStateException if the version of the document is not an integer, or its marks are no array
     * @throws NullPointerException if the function returns null
     */
    public Optional<T> update(Object id, UnaryOperator<T> change) {
        Objects.requireNonNull(id, "The id is null");
        Objects.requireNonNull(change, "The change is null");
        OptimisticDocuments<T>.Update update = documents.update(id, change);
        while (!update.isDone()) {
            Optional<BsonDocument> found;
            try {
                found = send(update);
            } catch (InterruptedException | MongoInterruptedException e) {
                Thread.currentThread().interrupt();
                throw update.task().interrupted(e);
            } catch (RuntimeException e) {
                update.failed(FaultClassifier.withoutSession(update.operators().isEmpty(), e));
                continue;
            }
            update.answered(found);
        }
        return update.result();
    }

    private Optional<BsonDocument> send(OptimisticDocuments<T>.Update update) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (update.pause().isPresent()) {
            TimeUnit.NANOSECONDS.sleep(update.pause().get().toNanos());
        }
        return Optional.ofNullable(
                update.operators().isPresent()
                        ? collection.findOneAndUpdate(
                                update.filter(), update.operators().get(), AFTER)
                        : collection.find(update.filter()).first());
    }
}
