package org.mongolocks.internal;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/**
 * Selects what a user's filter and another both select.
 *
 * @param own the filter of the user
 * @param other the other
 */
public record BothFilters(Bson own, BsonDocument other) implements Bson {
    @Override
    public <T> BsonDocument toBsonDocument(Class<T> type, CodecRegistry registry) {
        return new BsonDocument("$and", new BsonArray(List.of(own.toBsonDocument(type, registry), other)));
    }
}
