package org.mongolocks.internal.schema;

import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The index that deletes documents when the date in a field has passed. */
record TtlIndex(String field) {
    private static final String SECONDS = "expireAfterSeconds";

    /** Returns what is wrong with the index among those of a collection, if anything. */
    Optional<String> problemAmong(List<BsonDocument> indexes) {
        return onField(indexes).map(this::problem).orElse(Optional.of("is missing"));
    }

    /** Returns the name of the index that conflicts with the right one. */
    Optional<String> nameToDrop(List<BsonDocument> indexes) {
        return onField(indexes).map(index -> index.getString("name").getValue());
    }

    private Optional<BsonDocument> onField(List<BsonDocument> indexes) {
        return indexes.stream()
                .filter(index -> isAscending(index.getDocument("key", new BsonDocument())))
                .findFirst();
    }

    /** A server may return the direction as a number of any type. */
    private boolean isAscending(BsonDocument key) {
        BsonValue direction = key.get(field);
        return key.size() == 1
                && direction != null
                && direction.isNumber()
                && direction.asNumber().doubleValue() > 0;
    }

    private Optional<String> problem(BsonDocument index) {
        BsonValue seconds = index.get(SECONDS);
        if (seconds == null || !seconds.isNumber()) {
            return Optional.of("deletes nothing: it has no expireAfterSeconds");
        }
        if (seconds.asNumber().longValue() != 0) {
            return Optional.of("has expireAfterSeconds " + seconds.asNumber().longValue() + " and not 0");
        }
        return index.containsKey("partialFilterExpression")
                ? Optional.of("covers only a part of the documents")
                : Optional.empty();
    }
}
