package org.mongolocks.internal.optimistic;

import com.mongodb.MongoNamespace;
import com.mongodb.client.model.Filters;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;
import org.mongolocks.IndeterminateUpdateException;
import org.mongolocks.UpdateConflictException;
import org.mongolocks.internal.base.UserDocuments;
import org.mongolocks.internal.optimistic.VersionedDocument.Change;
import org.mongolocks.spi.Step;

/**
 * The shared logic of the optimistic collections of both drivers: the program of an update, and what its outcome means.
 * Immutable.
 */
public final class OptimisticDocuments<T> {
    /** The most marks in a document: a lost reply can be resolved until so many versions later. */
    public static final int KEPT_MARKS = 8;

    private static final VersionFields FIELDS = new VersionFields("version", "versionMarks");
    private static final UpdateBackoff BACKOFF =
            new UpdateBackoff(10, Duration.ofMillis(5), Duration.ofMillis(500), new Random());

    private final MongoNamespace collection;
    private final UserDocuments<T> documents;
    private final VersionFields fields;
    private final UpdateBackoff backoff;
    private final Supplier<UUID> marks;

    private OptimisticDocuments(
            MongoNamespace collection,
            UserDocuments<T> documents,
            VersionFields fields,
            UpdateBackoff backoff,
            Supplier<UUID> marks) {
        this.collection = collection;
        this.documents = documents;
        this.fields = fields;
        this.backoff = backoff;
        this.marks = marks;
    }

    public static <T> OptimisticDocuments<T> of(MongoNamespace collection, Class<T> type, CodecRegistry codecs) {
        return new OptimisticDocuments<>(collection, UserDocuments.of(type, codecs), FIELDS, BACKOFF, UUID::randomUUID);
    }

    public OptimisticDocuments<T> withFields(String version, String versionMarks) {
        return new OptimisticDocuments<>(
                collection, documents, new VersionFields(version, versionMarks), backoff, marks);
    }

    public OptimisticDocuments<T> withAttempts(int most) {
        return new OptimisticDocuments<>(collection, documents, fields, backoff.withMaxAttempts(most), marks);
    }

    public OptimisticDocuments<T> withWaits(Duration first, Duration cap) {
        return new OptimisticDocuments<>(collection, documents, fields, backoff.withWaits(first, cap), marks);
    }

    /**
     * Returns the same documents with other sources of randomness, for tests.
     *
     * @param generator the source of the waits; thread-safe
     * @param markSupplier supplies a mark for each run, never the same one twice
     */
    public OptimisticDocuments<T> withRandomness(RandomGenerator generator, Supplier<UUID> markSupplier) {
        return new OptimisticDocuments<>(collection, documents, fields, backoff.withRandom(generator), markSupplier);
    }

    /** Returns the codecs for the user's types and BSON. */
    public CodecRegistry registry() {
        return documents.registry();
    }

    /** Returns a phrase for the document in messages. */
    public String describe(Object id) {
        return "document " + id + " in '" + collection + "'";
    }

    /**
     * Returns the program of one run. It throws the exceptions of the function, {@link NullPointerException} if that
     * returns null, {@link IllegalArgumentException} if its result cannot be written, and {@link IllegalStateException}
     * if the version of the document is not an integer or its marks are no array.
     */
    public Step<UpdateOutcome> program(Object id, UnaryOperator<T> change) {
        VersionedDocument target = new VersionedDocument(collection.getCollectionName(), stored(id), fields);
        BsonString mark = new BsonString(marks.get().toString());
        return new OptimisticUpdateRun(target, read -> changed(read, change), backoff, mark).start();
    }

    private BsonValue stored(Object id) {
        BsonDocument byId = Filters.eq("_id", id).toBsonDocument(documents.type(), documents.registry());
        return Objects.requireNonNull(byId.get("_id"));
    }

    /** The function may change its argument, so that is encoded before. */
    private Change changed(BsonDocument read, UnaryOperator<T> change) {
        T document = documents.decode(read);
        BsonDocument before = documents.encode(document);
        T after = Objects.requireNonNull(change.apply(document), "The function of an update returned null");
        return new Change(before, documents.encode(after));
    }

    /**
     * Returns the document after a run; empty if it is missing.
     *
     * @throws UpdateConflictException if the run lost every race
     * @throws IndeterminateUpdateException if the reply to the write was lost
     */
    public Optional<T> result(Object id, UpdateOutcome outcome) {
        if (outcome instanceof UpdateOutcome.Conflicted conflicted) {
            throw new UpdateConflictException(describe(id), conflicted.attempts(), conflicted.lastVersion());
        }
        if (outcome instanceof UpdateOutcome.Indeterminate indeterminate) {
            throw new IndeterminateUpdateException(describe(id), indeterminate.cause());
        }
        if (outcome instanceof UpdateOutcome.Updated updated) {
            return Optional.of(documents.decode(updated.document()));
        }
        return outcome instanceof UpdateOutcome.Unchanged unchanged
                ? Optional.of(documents.decode(unchanged.document()))
                : Optional.empty();
    }
}
