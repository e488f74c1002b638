package org.mongolocks.embedded.internal.bson;

import de.bwaldvogel.mongo.bson.BinData;
import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.bson.MaxKey;
import de.bwaldvogel.mongo.bson.MinKey;
import de.bwaldvogel.mongo.bson.ObjectId;
import java.time.Instant;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The BSON types: their names in the query language and their place in the order across types. */
public enum BsonKind {
    MIN_KEY("minKey", -1),
    MISSING("missing", 0),
    NULL("null", 5),
    INT("int", 10),
    LONG("long", 10),
    DOUBLE("double", 10),
    DECIMAL("decimal", 10),
    STRING("string", 15),
    OBJECT("object", 20),
    ARRAY("array", 25),
    BIN_DATA("binData", 30),
    OBJECT_ID("objectId", 35),
    BOOL("bool", 40),
    DATE("date", 45),
    TIMESTAMP("timestamp", 47),
    REGEX("regex", 50),
    MAX_KEY("maxKey", 127);

    private final String alias;
    private final int rank;

    BsonKind(String alias, int rank) {
        this.alias = alias;
        this.rank = rank;
    }

    /** The name in {@code $type}, in queries and in expressions. */
    public String alias() {
        return alias;
    }

    /** Kinds of one rank compare by value, kinds of different ranks by rank. */
    public int rank() {
        return rank;
    }

    public static BsonKind of(@Nullable Object value) {
        if (value == null) {
            return NULL;
        }
        if (value instanceof String) {
            return STRING;
        }
        return value instanceof Number ? ofNumber(value) : value instanceof Document ? OBJECT : ofOther(value);
    }

    /** The name of the type of a value. */
    public static String nameOf(@Nullable Object value) {
        return of(value).alias;
    }

    private static BsonKind ofNumber(Object value) {
        if (value instanceof Integer) {
            return INT;
        }
        return value instanceof Long ? LONG : value instanceof Double ? DOUBLE : DECIMAL;
    }

    // One line a class: the shortest way to write a type switch without patterns.
    private static BsonKind ofOther(Object value) {
        if (value == Values.MISSING) return MISSING;
        if (value instanceof Boolean) return BOOL;
        if (value instanceof Instant) return DATE;
        if (value instanceof Collection) return ARRAY;
        if (value instanceof ObjectId) return OBJECT_ID;
        if (value instanceof BsonTimestamp) return TIMESTAMP;
        if (value instanceof UUID || value instanceof BinData) return BIN_DATA;
        if (value instanceof BsonRegularExpression) return REGEX;
        if (value instanceof MinKey) return MIN_KEY;
        if (value instanceof MaxKey) return MAX_KEY;
        throw new IllegalArgumentException("not a BSON value: " + value.getClass());
    }
}
