package org.mongolocks.internal.base;

import com.mongodb.MongoClientSettings;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonDocumentWriter;
import org.bson.codecs.BsonValueCodecProvider;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecConfigurationException;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;

/**
 * The documents of a user's collection, as its codecs map them.
 *
 * @param type the type of the documents
 * @param registry the codecs for that type and for BSON
 */
public record UserDocuments<T>(Class<T> type, CodecRegistry registry) {
    /** Returns the documents of a collection with these codecs. */
    public static <T> UserDocuments<T> of(Class<T> type, CodecRegistry codecs) {
        // A provider of the user's for maps or POJOs would take a BsonDocument for one.
        CodecRegistry bson = CodecRegistries.fromProviders(new BsonValueCodecProvider());
        return new UserDocuments<>(
                type, CodecRegistries.fromRegistries(bson, codecs, MongoClientSettings.getDefaultCodecRegistry()));
    }

    /**
     * Checks a name that becomes a key of an update.
     *
     * @param what the subject of the message
     * @throws IllegalArgumentException if the server would take it for a path or an operator
     */
    public static void requireName(String what, String field) {
        if (field.isEmpty() || field.startsWith("$") || field.indexOf('.') >= 0 || field.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    what + " must not have an empty name, one that begins with '$', or one with"
                            + " a dot or a NUL character, was '" + field + "'");
        }
    }

    public T decode(BsonDocument document) {
        return codec().decode(
                        new BsonDocumentReader(document),
                        DecoderContext.builder().build());
    }

    /**
     * Returns a document as it is written.
     *
     * @throws IllegalArgumentException if it has a value without a codec
     */
    public BsonDocument encode(T document) {
        BsonDocument encoded = new BsonDocument();
        try {
            codec().encode(
                            new BsonDocumentWriter(encoded),
                            document,
                            EncoderContext.builder().build());
        } catch (CodecConfigurationException e) {
            throw new IllegalArgumentException("A document has a value that cannot be written: " + e.getMessage(), e);
        }
        return encoded;
    }

    private Codec<T> codec() {
        return registry.get(type);
    }
}
