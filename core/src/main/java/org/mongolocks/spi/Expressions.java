package org.mongolocks.spi;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Factory methods for the aggregation expressions of lock commands. */
public final class Expressions {
    /** The server's time at the start of the command. */
    public static final BsonValue NOW = new BsonString("$$NOW");
    /** The document as it was before the stage. */
    public static final BsonValue ROOT = new BsonString("$$ROOT");
    /** Null. */
    public static final BsonValue NULL = BsonNull.VALUE;

    private Expressions() {}

    /**
     * Returns a document with one field.
     *
     * @param key the key
     * @param value the value
     * @return the document
     */
    public static BsonDocument document(String key, BsonValue value) {
        return new BsonDocument(key, value);
    }

    /**
     * Returns the expression for the value of a field.
     *
     * @param field the name of the field
     * @return the expression
     */
    public static BsonValue path(String field) {
        return new BsonString("$" + field);
    }

    /**
     * Returns the expression for a literal string, also if it begins with a dollar sign. Every value that does not come
     * from this library must be wrapped by this method.
     *
     * @param value the string
     * @return the expression
     */
    public static BsonDocument literal(String value) {
        return document("$literal", new BsonString(value));
    }

    /**
     * Returns the expression for a literal document, whatever its strings begin with.
     *
     * @param value the document
     * @return the expression
     */
    public static BsonDocument literal(BsonDocument value) {
        return document("$literal", value);
    }

    /**
     * Returns the sum of two expressions.
     *
     * @param left a number or a date
     * @param right a number
     * @return the expression
     */
    public static BsonDocument add(BsonValue left, BsonValue right) {
        return document("$add", new BsonArray(List.of(left, right)));
    }

    /**
     * Returns the expression for a value, or for a default if the value is missing or null.
     *
     * @param value the value; an expression
     * @param other the default; an expression
     * @return the expression
     */
    public static BsonDocument ifNull(BsonValue value, BsonValue other) {
        return document("$ifNull", new BsonArray(List.of(value, other)));
    }

    /**
     * Returns the expression for the number in a field plus one; a missing number counts as zero. The result is a
     * 64-bit integer.
     *
     * @param field the name of the field
     * @return the expression
     */
    public static BsonDocument increment(String field) {
        return add(ifNull(path(field), new BsonInt64(0)), new BsonInt64(1));
    }

    /**
     * Returns the conditional expression.
     *
     * @param condition the condition
     * @param whenTrue the value if the condition is true
     * @param whenFalse the value if it is not
     * @return the expression
     */
    public static BsonDocument cond(BsonValue condition, BsonValue whenTrue, BsonValue whenFalse) {
        return document("$cond", new BsonArray(List.of(condition, whenTrue, whenFalse)));
    }

    /**
     * Returns the expression for the document with some fields set.
     *
     * @param fields the fields, with expressions for values
     * @return the expression
     */
    public static BsonDocument mergeIntoRoot(BsonDocument fields) {
        return document("$mergeObjects", new BsonArray(List.of(ROOT, fields)));
    }
}
