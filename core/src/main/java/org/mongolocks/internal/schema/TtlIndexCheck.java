package org.mongolocks.internal.schema;

import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.mongolocks.spi.LockSchema.TtlIndex;

/** The check of the TTL index that a strategy asks for, among the indexes of a collection. */
record TtlIndexCheck(TtlIndex wanted) {
    private static final String SECONDS = "expireAfterSeconds";

    /** Returns what is wrong with the index among those of a collection, if anything. */
    Optional<String> problemAmong(List<BsonDocument> indexes) {
        return onField(indexes).map(this::problem).orElse(Optional.of("is missing"));
    }

    /** Returns the name of the index that conflicts with the right one. */
    Optional<String> nameToDrop(List<BsonDocument> indexes) {
        return onField(indexes).map(index -> index.getString("name").getValue());
    }

    /** Returns whether the server deletes documents by an index earlier than the strategy allows, or by another date. */
    static boolean deletesTooEarly(BsonDocument index, Optional<TtlIndex> wanted) {
        BsonValue seconds = index.get(SECONDS);
        BsonDocument key = index.getDocument("key", new BsonDocument());
        return seconds != null
                && wanted.filter(ttl -> key.size() == 1 && key.containsKey(ttl.field()) && !isEarlier(seconds, ttl))
                        .isEmpty();
    }

    private Optional<BsonDocument> onField(List<BsonDocument> indexes) {
        return indexes.stream().filter(index -> isOn(wanted.field(), index)).findFirst();
    }

    /** A server may return the direction as a number of any type. */
    private static boolean isOn(String field, BsonDocument index) {
        BsonDocument key = index.getDocument("key", new BsonDocument());
        BsonValue direction = key.get(field);
        return key.size() == 1
                && direction != null
                && direction.isNumber()
                && direction.asNumber().doubleValue() > 0;
    }

    private static boolean isEarlier(BsonValue seconds, TtlIndex ttl) {
        return !(seconds.isNumber()
                && seconds.asNumber().doubleValue() >= ttl.after().toSeconds());
    }

    private Optional<String> problem(BsonDocument index) {
        BsonValue seconds = index.get(SECONDS);
        if (seconds == null || !seconds.isNumber()) {
            return Optional.of("deletes nothing: it has no expireAfterSeconds");
        }
        long after = wanted.after().toSeconds();
        if (seconds.asNumber().longValue() != after) {
            return Optional.of("has expireAfterSeconds " + seconds.asNumber().longValue() + " and not " + after);
        }
        return index.containsKey("partialFilterExpression")
                ? Optional.of("covers only a part of the documents")
                : Optional.empty();
    }
}
