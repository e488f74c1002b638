package org.mongolocks.internal.fence;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoException;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import java.util.List;
import java.util.Objects;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Fence;
import org.mongolocks.internal.base.UserDocuments;
import org.mongolocks.internal.fence.FencedWrites.Matching;

/** The shared logic of the fenced collections of both drivers: what they send, and what the returned documents mean. */
public final class FencedDocuments<T> {
    /** The most attempts to create a document that other clients create and delete concurrently: 5. */
    public static final int MAX_TRIES = 5;

    private static final String ID = "_id";
    private static final String AND = "$and";

    private final Fence fence;
    private final UserDocuments<T> documents;

    public FencedDocuments(Fence fence, Class<T> type, CodecRegistry codecs) {
        this.fence = Objects.requireNonNull(fence, "The fence is null");
        this.documents = UserDocuments.of(type, codecs);
    }

    /** Returns the codecs for the user's types and BSON. */
    public CodecRegistry registry() {
        return documents.registry();
    }

    public Bson touch() {
        return fence.touch();
    }

    /**
     * Returns the update of a touch that may create the document.
     *
     * @throws IllegalArgumentException if a field is that of the fence, or its name would be an operator or a path
     */
    public Bson touchOrCreate(Bson initial) {
        BsonDocument fields = initial.toBsonDocument(documents.type(), documents.registry());
        if (fields.isEmpty()) {
            return touch();
        }
        fields.keySet()
                .forEach(field -> UserDocuments.requireName(
                        "initial must be fields of a new document, not an update: a field of it", field));
        return fence.write(new BsonDocument("$setOnInsert", fields));
    }

    /**
     * Checks that a filter selects one document by its {@code _id}, from which the server takes that of a new document,
     * and gives it no token.
     *
     * @return the filter, rendered
     * @throws IllegalArgumentException if it does not, or has the field of the fence
     */
    public Bson requireId(Bson filter) {
        BsonDocument rendered = filter.toBsonDocument(documents.type(), documents.registry());
        if (!hasId(rendered)) {
            throw new IllegalArgumentException(
                    "The filter of a new document must have a value for _id, by itself, in $eq or inside $and, because"
                            + " nothing else prevents a second document; the filter was " + rendered);
        }
        requireNoToken(rendered);
        return rendered;
    }

    private void requireNoToken(BsonDocument filter) {
        fence.write(new BsonDocument("$setOnInsert", filter)).toBsonDocument();
        filter.forEach((operator, parts) -> {
            if (operator.startsWith("$") && parts instanceof BsonArray all) {
                all.stream()
                        .filter(BsonDocument.class::isInstance)
                        .map(BsonValue::asDocument)
                        .forEach(this::requireNoToken);
            }
        });
    }

    private static boolean hasId(BsonDocument filter) {
        BsonArray all = filter.get(AND) instanceof BsonArray conditions ? conditions : new BsonArray();
        return isValue(filter.get(ID))
                || all.stream().anyMatch(part -> part instanceof BsonDocument inner && hasId(inner));
    }

    private static boolean isValue(@Nullable BsonValue id) {
        BsonValue value = id instanceof BsonDocument conditions
                        && conditions.keySet().stream().anyMatch(key -> key.startsWith("$"))
                ? conditions.get("$eq")
                : id;
        return value != null && !value.isRegularExpression();
    }

    public FencedWrites update(Bson filter, Bson operators, UpdateOptions options) {
        return writes(List.of(new UpdateOneModel<>(filter, operators, options)), command(options));
    }

    /** Returns an update by a pipeline. */
    public FencedWrites update(Bson filter, List<? extends Bson> stages, UpdateOptions options) {
        return writes(List.of(new UpdateOneModel<>(filter, stages, options)), command(options));
    }

    public FencedWrites replace(Bson filter, T replacement, ReplaceOptions options) {
        BulkWriteOptions command = command(options.getComment(), options.getLet())
                .bypassDocumentValidation(options.getBypassDocumentValidation());
        return writes(List.of(new ReplaceOneModel<>(filter, replacement, options)), command);
    }

    public FencedWrites delete(Bson filter, DeleteOptions options) {
        return writes(List.of(new DeleteOneModel<T>(filter, options)), command(options.getComment(), options.getLet()));
    }

    private static BulkWriteOptions command(UpdateOptions options) {
        return command(options.getComment(), options.getLet())
                .bypassDocumentValidation(options.getBypassDocumentValidation());
    }

    private static BulkWriteOptions command(@Nullable BsonValue comment, @Nullable Bson let) {
        return new BulkWriteOptions().comment(comment).let(let);
    }

    /**
     * Returns writes of documents that this token has touched.
     *
     * @throws IllegalArgumentException if a write is an upsert, or of another kind than an update, a replacement or a
     *     deletion of one document; or if a replacement changes the field of the fence
     */
    public FencedWrites writes(List<? extends WriteModel<? extends T>> writes, BulkWriteOptions options) {
        return FencedWrites.of(fence, writes.stream().map(this::fenced).toList(), options);
    }

    private FencedWrites.One fenced(WriteModel<? extends T> write) {
        if (write instanceof UpdateOneModel<? extends T> update) {
            return fenced(update);
        }
        if (write instanceof ReplaceOneModel<? extends T> replace) {
            return fenced(replace);
        }
        if (write instanceof DeleteOneModel<? extends T> delete) {
            DeleteOptions options = delete.getOptions();
            return new FencedWrites.One(
                    new DeleteOneModel<>(fence.writeFilter(delete.getFilter()), options),
                    delete.getFilter(),
                    new Matching(options.getCollation(), options.getHint(), options.getHintString()));
        }
        throw new IllegalArgumentException(
                "A fenced write must be an UpdateOneModel, ReplaceOneModel or DeleteOneModel," + " was "
                        + write.getClass().getSimpleName());
    }

    private FencedWrites.One fenced(UpdateOneModel<? extends T> update) {
        UpdateOptions options = update.getOptions();
        requireNoUpsert(options.isUpsert());
        Bson own = fence.writeFilter(update.getFilter());
        List<? extends Bson> stages = update.getUpdatePipeline();
        return new FencedWrites.One(
                stages == null
                        ? new UpdateOneModel<>(own, fence.write(Objects.requireNonNull(update.getUpdate())), options)
                        : new UpdateOneModel<>(own, fence.write(stages), options),
                update.getFilter(),
                new Matching(options.getCollation(), options.getHint(), options.getHintString()));
    }

    private FencedWrites.One fenced(ReplaceOneModel<? extends T> replace) {
        ReplaceOptions options = replace.getReplaceOptions();
        requireNoUpsert(options.isUpsert());
        BsonDocument replacement = documents.encode(replace.getReplacement());
        Bson own = fence.writeFilter(replace.getFilter());
        return new FencedWrites.One(
                new ReplaceOneModel<>(own, fence.replacement(replacement), options),
                replace.getFilter(),
                new Matching(options.getCollation(), options.getHint(), options.getHintString()));
    }

    private static void requireNoUpsert(boolean isUpsert) {
        if (isUpsert) {
            throw new IllegalArgumentException("A fenced write must not be an upsert, because a new document has been"
                    + " touched by nobody: create it with touchOrCreate");
        }
    }

    /** Returns the filter for documents that match the user's, but cannot be touched with this token. */
    public Bson untouchable(Bson own) {
        return Filters.and(own, Filters.nor(fence.touchFilter(new BsonDocument())));
    }

    /** Returns the order in which the first of several documents shows whether the token is stale. */
    public Bson largestTokenFirst() {
        return Sorts.descending(fence.field());
    }

    /**
     * Checks and decodes the result of a touch.
     *
     * @param document the document after it
     * @return the document as the user's type
     * @throws org.mongolocks.StaleTokenException if the touch was refused
     */
    public T touched(BsonDocument document) {
        fence.requireTouched(document);
        return documents.decode(document);
    }

    /**
     * Throws the reason why an existing document was not written.
     *
     * @throws org.mongolocks.StaleTokenException if it has seen a larger token
     * @throws IllegalStateException if it was not touched
     */
    public void requireTouched(BsonDocument document) {
        fence.requireTouched(document);
    }

    /** Returns whether a concurrent operation has created the document, which can be touched now. */
    public static boolean isDuplicateId(Throwable e) {
        return e instanceof MongoException known
                && ErrorCategory.fromErrorCode(known.getCode()) == ErrorCategory.DUPLICATE_KEY;
    }
}
