package org.mongolocks.internal.optimistic;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The fields by which concurrent writers of one document detect each other. */
record VersionFields(String version, String marks) {
    private static final String ID = "_id";
    private static final String MARK_VERSION = "v";
    private static final String MARK_WRITER = "by";

    VersionFields {
        requireName(version);
        requireName(marks);
        if (version.equals(marks) || version.equals(ID) || marks.equals(ID)) {
            throw new IllegalArgumentException(
                    "version and marks must be different fields, were '" + version + "' and '" + marks + "'");
        }
    }

    /** Rejects a name that an update operator would take for a path, or the server for an operator. */
    static void requireName(String field) {
        if (field.isEmpty() || field.startsWith("$") || field.indexOf('.') >= 0 || field.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("A field name must not be empty, must not begin with"
                    + " '$', and must not have a dot or a NUL character, was '" + field + "'");
        }
    }

    /** The fields that the function must not change. */
    Set<String> reserved() {
        return Set.of(ID, version, marks);
    }

    /** A document that was never written with a version has version 0. */
    long of(BsonDocument document) {
        BsonValue found = document.get(version);
        if (found == null) {
            return 0;
        }
        if (found instanceof BsonNumber number && isWhole(number)) {
            return number.longValue();
        }
        throw new IllegalStateException("The field '" + version + "' of document " + document.get(ID)
                + " must be an integer that can be incremented, or missing, was " + found);
    }

    /** Returns the filter for a document at the version that was read. */
    BsonDocument unchanged(BsonDocument read) {
        BsonValue condition = read.containsKey(version)
                ? new BsonDocument("$eq", new BsonInt64(of(read)))
                : new BsonDocument("$exists", BsonBoolean.FALSE);
        return new BsonDocument(version, condition);
    }

    /** Returns an update by operators that also stores the next version and its mark. */
    BsonDocument withNextVersion(BsonDocument operators, long next, BsonString mark) {
        BsonDocument entry = new BsonDocument(MARK_VERSION, new BsonInt64(next)).append(MARK_WRITER, mark);
        BsonDocument last = new BsonDocument("$each", new BsonArray(List.of(entry)))
                .append("$slice", new BsonInt32(-OptimisticDocuments.KEPT_MARKS));
        BsonDocument set = operators.getDocument("$set", new BsonDocument()).append(version, new BsonInt64(next));
        return operators.append("$set", set).append("$push", new BsonDocument(marks, last));
    }

    /** Returns the mark of a version, if the document still has it. */
    Optional<BsonValue> writerOf(long written, BsonDocument document) {
        return marksOf(document).stream()
                .filter(BsonValue::isDocument)
                .map(BsonValue::asDocument)
                .filter(entry -> new BsonInt64(written).equals(entry.get(MARK_VERSION)))
                .map(entry -> entry.get(MARK_WRITER, new BsonString("")))
                .findFirst();
    }

    BsonArray marksOf(BsonDocument document) {
        BsonValue found = document.get(marks, new BsonArray());
        if (found instanceof BsonArray array) {
            return array;
        }
        throw new IllegalStateException("The field '" + marks + "' of document " + document.get(ID)
                + " must be an array of marks, or missing, was " + found);
    }

    private static boolean isWhole(BsonNumber number) {
        boolean isWhole = number.isInt32() || number.isInt64() || number.doubleValue() == number.longValue();
        return isWhole && number.longValue() < Long.MAX_VALUE;
    }
}
