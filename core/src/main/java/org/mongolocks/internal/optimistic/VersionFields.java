package org.mongolocks.internal.optimistic;

import java.nio.ByteBuffer;
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
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.base.UserDocuments;

/** The fields by which concurrent writers of one document detect each other. */
record VersionFields(String version, String marks) {
    /** The most marks in a document: a lost reply can be resolved until so many versions later. */
    private static final int KEPT_MARKS = 8;

    VersionFields {
        requireName(version);
        requireName(marks);
        if (version.equals(marks) || version.equals("_id") || marks.equals("_id")) {
            throw new IllegalArgumentException(
                    "version and marks must be different fields, were '" + version + "' and '" + marks + "'");
        }
    }

    /** A document that was never written with a version has version 0. */
    long of(BsonDocument document) {
        if (document.get(version, new BsonInt64(0)) instanceof BsonNumber number
                && number.doubleValue() == number.longValue()
                && number.longValue() < Long.MAX_VALUE) {
            return number.longValue();
        }
        throw unreadable(document, version, "an integer that can be incremented");
    }

    /** Returns the filter for a document as it was read: the marks tell it from one that was inserted with its version. */
    BsonDocument unchanged(BsonDocument read, BsonDocument byId) {
        BsonArray unused = marksOf(read);
        return byId.clone().append(version, same(read, version)).append(marks, same(read, marks));
    }

    private static BsonDocument same(BsonDocument read, String field) {
        return read.containsKey(field)
                ? new BsonDocument("$eq", read.get(field))
                : new BsonDocument("$exists", BsonBoolean.FALSE);
    }

    /**
     * Returns an update that makes one document the other, writes only fields that differ, and stores the next version
     * with its mark; empty without a difference. A reserved field that the other document lacks stays.
     *
     * @throws IllegalArgumentException if a reserved field differs, or a difference cannot be written
     */
    BsonDocument update(BsonDocument before, BsonDocument after, long next, BsonString mark) {
        Set<String> reserved = Set.of("_id", version, marks);
        BsonDocument set = new BsonDocument();
        BsonDocument unset = new BsonDocument();
        after.forEach((field, value) -> {
            if (!isSame(value, before.get(field))) {
                set.append(field, value);
            }
        });
        before.keySet().stream()
                .filter(field -> !after.containsKey(field) && !reserved.contains(field))
                .forEach(field -> unset.append(field, BsonBoolean.TRUE));
        set.keySet().stream().filter(reserved::contains).findFirst().ifPresent(field -> {
            throw new IllegalArgumentException("The function of an update must not change the field '" + field
                    + "', but it set " + set.get(field) + " instead of " + before.get(field));
        });
        set.keySet().forEach(VersionFields::requireName);
        unset.keySet().forEach(VersionFields::requireName);
        return set.isEmpty() && unset.isEmpty() ? set : operators(set, unset, new BsonInt64(next), mark);
    }

    private BsonDocument operators(BsonDocument set, BsonDocument unset, BsonInt64 next, BsonString mark) {
        BsonArray last = new BsonArray(List.of(new BsonDocument("v", next).append("by", mark)));
        BsonDocument push = new BsonDocument("$each", last).append("$slice", new BsonInt32(-KEPT_MARKS));
        BsonDocument operators = new BsonDocument("$set", set.append(version, next));
        operators.putAll(unset.isEmpty() ? unset : new BsonDocument("$unset", unset));
        return operators.append("$push", new BsonDocument(marks, push));
    }

    /** Compares what is stored: to the server the order of nested fields is a difference, but not to a document here. */
    private static boolean isSame(BsonValue value, @Nullable BsonValue before) {
        ByteBuffer stored = encoded(value);
        return before != null && stored.equals(encoded(before));
    }

    private static ByteBuffer encoded(BsonValue value) {
        try {
            return new RawBsonDocument(new BsonDocument("_id", value), new BsonDocumentCodec())
                    .getByteBuffer()
                    .asNIO();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("The function of an update returned a value that is not BSON", e);
        }
    }

    /** Returns the mark of a version, if the document still has it. */
    Optional<BsonValue> writerOf(long written, BsonDocument document) {
        return marksOf(document).stream()
                .filter(mark -> mark instanceof BsonDocument entry && new BsonInt64(written).equals(entry.get("v")))
                .map(mark -> mark.asDocument().get("by", new BsonString("")))
                .findFirst();
    }

    private BsonArray marksOf(BsonDocument document) {
        if (document.get(marks, new BsonArray()) instanceof BsonArray array) {
            return array;
        }
        throw unreadable(document, marks, "an array of marks");
    }

    private static void requireName(String field) {
        UserDocuments.requireName("A field of an update", field);
    }

    private static IllegalStateException unreadable(BsonDocument document, String field, String required) {
        return new IllegalStateException("The field '" + field + "' of document " + document.get("_id") + " must be "
                + required + ", or missing, was " + document.get(field));
    }
}
