package org.mongolocks.strategy.optimisticversion;

import java.util.Objects;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The difference of a document and its changed copy, as an update that touches no other field. */
record DocumentDiff(BsonDocument before, BsonDocument after, VersionFields fields) {

    /** The operators; empty if there is no difference. */
    BsonDocument operators() {
        after.keySet().stream().filter(fields.reserved()::contains).forEach(this::requireSame);
        BsonDocument set = new BsonDocument();
        BsonDocument unset = new BsonDocument();
        after.forEach((field, value) -> putInto(set, field, value, !value.equals(before.get(field))));
        before.forEach((field, value) -> putInto(unset, field, BsonBoolean.TRUE, !after.containsKey(field)));
        BsonDocument operators = new BsonDocument();
        return appendTo(appendTo(operators, "$set", set), "$unset", unset);
    }

    /** A field that the function has left out of its result stays as it is, if it is one of these. */
    private void putInto(BsonDocument written, String field, BsonValue value, boolean differs) {
        if (differs && !fields.reserved().contains(field)) {
            VersionFields.requireName(field);
            written.append(field, value);
        }
    }

    private void requireSame(String field) {
        if (!Objects.equals(after.get(field), before.get(field))) {
            throw new IllegalArgumentException("The function of an update must not change the field '" + field
                    + "', but it set " + after.get(field) + " instead of " + before.get(field));
        }
    }

    private static BsonDocument appendTo(BsonDocument operators, String operator, BsonDocument fields) {
        return fields.isEmpty() ? operators : operators.append(operator, fields);
    }
}
