package org.mongolocks.internal.fence;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/**
 * The conjunction of a user's filter and another filter.
 *
 * @param own the user's filter
 * @param other the other filter
 */
public record AndFilter(Bson own, BsonDocument other) implements Bson {
    @Override
    public <T> BsonDocument toBsonDocument(Class<T> type, CodecRegistry registry) {
        return new BsonDocument("$and", new BsonArray(List.of(own.toBsonDocument(type, registry), other)));
    }
}
