package org.mongolocks.internal.base;

import com.mongodb.MongoClientSettings;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonDocumentWriter;
import org.bson.codecs.BsonValueCodecProvider;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
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

    public T decode(BsonDocument document) {
        return codec().decode(
                        new BsonDocumentReader(document),
                        DecoderContext.builder().build());
    }

    public BsonDocument encode(T document) {
        BsonDocument encoded = new BsonDocument();
        codec().encode(
                        new BsonDocumentWriter(encoded),
                        document,
                        EncoderContext.builder().build());
        return encoded;
    }

    private Codec<T> codec() {
        return registry.get(type);
    }
}
