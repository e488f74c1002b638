package org.mongolocks.internal.fence;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import java.util.List;
import java.util.Objects;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonValue;
import org.bson.codecs.BsonValueCodecProvider;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Fence;

/** The shared logic of the fenced collections of both drivers: what they send, and what the returned documents mean. */
public final class FencedDocuments<T> {
    /** The most attempts to create a document that other clients create and delete concurrently: 5. */
    public static final int MAX_TRIES = 5;

    private static final String ID = "_id";
    private static final String AND = "$and";

    private final Fence fence;
    private final Class<T> type;
    private final CodecRegistry registry;

    public FencedDocuments(Fence fence, Class<T> type, CodecRegistry codecs) {
        this.fence = Objects.requireNonNull(fence, "The fence is null");
        this.type = type;
        // A provider of the user's for maps or POJOs would take a BsonDocument for one.
        CodecRegistry bson = CodecRegistries.fromProviders(new BsonValueCodecProvider());
        this.registry = CodecRegistries.fromRegistries(bson, codecs, MongoClientSettings.getDefaultCodecRegistry());
    }

    /** Returns the codecs for the user's types and BSON. */
    public CodecRegistry registry() {
        return registry;
    }

    /** Returns the update of a touch. */
    public Bson touch() {
        return fence.touch();
    }

    /**
     * Returns the update of a touch that may create the document.
     *
     * @throws IllegalArgumentException if the fields have the field of the fence, or one that begins with
     *     {@code $}
     */
    public Bson touchOrCreate(Bson initial) {
        BsonDocument fields = initial.toBsonDocument(type, registry);
        if (fields.isEmpty()) {
            return touch();
        }
        if (fields.keySet().stream().anyMatch(key -> key.startsWith("$"))) {
            throw new IllegalArgumentException(
                    "initial must be fields of a new document, not an update by operators, was " + fields);
        }
        return fence.write(new BsonDocument("$setOnInsert", fields));
    }

    /**
     * Checks that a filter selects one document by its {@code _id}, from which the server takes that of a new document.
     *
     * @return the filter, rendered
     * @throws IllegalArgumentException if it does not
     */
    public Bson requireId(Bson filter) {
        BsonDocument rendered = filter.toBsonDocument(type, registry);
        if (!hasId(rendered)) {
            throw new IllegalArgumentException(
                    "The filter of a new document must have a value for _id, by itself, in $eq or inside $and, because"
                            + " nothing else prevents a second document; the filter was " + rendered);
        }
        return rendered;
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

    /** Returns the filter of a write. */
    public Bson writeFilter(Bson own) {
        return fence.writeFilter(own);
    }

    /** Returns the update of a write. */
    public Bson write(Bson operators) {
        return fence.write(operators);
    }

    /** Returns the update of a write by a pipeline. */
    public List<Bson> write(List<? extends Bson> stages) {
        return fence.write(stages);
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
        return registry.get(type)
                .decode(
                        new BsonDocumentReader(document),
                        DecoderContext.builder().build());
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
