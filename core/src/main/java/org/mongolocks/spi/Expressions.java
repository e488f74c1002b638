package org.mongolocks.spi;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/** Makes the aggregation expressions that lock commands are put together from. */
public final class Expressions {
    /** The server's time at the start of the command. */
    public static final BsonValue NOW = new BsonString("$$NOW");
    /** The document as it was before the stage. */
    public static final BsonValue ROOT = new BsonString("$$ROOT");
    /** Null. */
    public static final BsonValue NULL = BsonNull.VALUE;

    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    private Expressions() {}

    /**
     * Makes an expression that is the same in every command: nobody can change it, and the driver copies its bytes.
     *
     * @param expression the expression
     * @return one that is equal to it
     */
    static BsonDocument fixed(BsonDocument expression) {
        return new RawBsonDocument(expression, CODEC);
    }

    /**
     * Makes a document with one field.
     *
     * @param key the key
     * @param value the value
     * @return the document
     */
    public static BsonDocument document(String key, BsonValue value) {
        return new BsonDocument(key, value);
    }

    /**
     * Stands for the value of a field.
     *
     * @param field the name of the field
     * @return the expression
     */
    public static BsonValue path(String field) {
        return new BsonString("$" + field);
    }

    /**
     * Stands for a string as it is, also when it begins with a dollar sign. Every value that does not come from this
     * library goes through here.
     *
     * @param value the string
     * @return the expression
     */
    public static BsonDocument literal(String value) {
        return document("$literal", new BsonString(value));
    }

    /**
     * Stands for a document as it is, whatever its strings begin with.
     *
     * @param value the document
     * @return the expression
     */
    public static BsonDocument literal(BsonDocument value) {
        return document("$literal", value);
    }

    /**
     * Adds.
     *
     * @param left the one, a number or a date
     * @param right the other, a number
     * @return the expression
     */
    public static BsonDocument add(BsonValue left, BsonValue right) {
        return document("$add", new BsonArray(List.of(left, right)));
    }

    /**
     * Stands for a value if there is one, else for another.
     *
     * @param value the value; an expression
     * @param other what to use when the value is missing or null; an expression
     * @return the expression
     */
    public static BsonDocument orElse(BsonValue value, BsonValue other) {
        return document("$ifNull", new BsonArray(List.of(value, other)));
    }

    /**
     * Stands for the number in a field plus one; a missing number counts as zero. The result is a 64-bit integer.
     *
     * @param field the name of the field
     * @return the expression
     */
    public static BsonDocument plusOne(String field) {
        return add(orElse(path(field), new BsonInt64(0)), new BsonInt64(1));
    }

    /**
     * Stands for one expression or the other.
     *
     * @param condition when to use the one
     * @param yes the one
     * @param no the other
     * @return the expression
     */
    public static BsonDocument either(BsonValue condition, BsonValue yes, BsonValue no) {
        return document("$cond", new BsonArray(List.of(condition, yes, no)));
    }

    /**
     * Stands for the document with some fields set.
     *
     * @param fields the fields, with expressions for values
     * @return the expression
     */
    public static BsonDocument rootWith(BsonDocument fields) {
        return document("$mergeObjects", new BsonArray(List.of(ROOT, fields)));
    }
}
