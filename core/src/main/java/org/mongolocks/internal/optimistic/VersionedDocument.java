package org.mongolocks.internal.optimistic;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;

/** The document of an update, with the operations on it. */
record VersionedDocument(String collection, BsonValue id, VersionFields fields) {
    private static final String LABEL = "optimistic-update/";
    private static final String ID = "_id";
    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    MongoOp read(String place) {
        return new MongoOp.FindOne(LABEL + place, collection, byId(), Optional.empty());
    }

    /**
     * A document before and after a change, both as the user's type has it: what that does not map is in neither.
     *
     * @param before the document without the change
     * @param after the document with it
     */
    record Change(BsonDocument before, BsonDocument after) {}

    /**
     * Returns the write of the fields that differ, and of no others, if the version is still the one that was read;
     * empty if there is no difference.
     */
    Optional<MongoOp> compareAndSet(BsonDocument read, Change change, BsonString mark) {
        BsonDocument difference = difference(change.before(), change.after());
        if (difference.isEmpty()) {
            return Optional.empty();
        }
        BsonDocument unchanged = byId();
        unchanged.putAll(fields.unchanged(read));
        BsonDocument operators = fields.withNextVersion(difference, fields.of(read) + 1, mark);
        return Optional.of(new MongoOp.FindOneAndUpdate(
                LABEL + "compare-and-set", collection, unchanged, UpdateSpec.operators(operators), false));
    }

    private BsonDocument byId() {
        return new BsonDocument(ID, new BsonDocument("$eq", id));
    }

    /** Returns an update that makes one document the other and touches no field that is the same in both. */
    private BsonDocument difference(BsonDocument before, BsonDocument after) {
        fields.reserved().forEach(field -> requireUnchanged(field, before, after));
        BsonDocument set = new BsonDocument();
        BsonDocument unset = new BsonDocument();
        after.forEach((field, value) -> putIf(!isSame(value, before.get(field)), set, field, value));
        before.forEach((field, value) -> putIf(!after.containsKey(field), unset, field, BsonBoolean.TRUE));
        BsonDocument operators = new BsonDocument();
        return appendTo(appendTo(operators, "$set", set), "$unset", unset);
    }

    /** A reserved field that the function has left out of its result stays as it is. */
    private void putIf(boolean differs, BsonDocument written, String field, BsonValue value) {
        if (differs && !fields.reserved().contains(field)) {
            VersionFields.requireName(field);
            written.append(field, value);
        }
    }

    private static void requireUnchanged(String field, BsonDocument before, BsonDocument after) {
        BsonValue value = after.get(field);
        if (value != null && !isSame(value, before.get(field))) {
            throw new IllegalArgumentException("The function of an update must not change the field '" + field
                    + "', but it set " + value + " instead of " + before.get(field));
        }
    }

    /** Compares what is stored: to the server the order of nested fields is a difference, but not to a document here. */
    private static boolean isSame(BsonValue value, @Nullable BsonValue before) {
        ByteBuffer stored = encoded(value);
        return before != null && stored.equals(encoded(before));
    }

    private static ByteBuffer encoded(BsonValue value) {
        try {
            return new RawBsonDocument(new BsonDocument(ID, value), CODEC)
                    .getByteBuffer()
                    .asNIO();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("The function of an update returned a value that is not BSON", e);
        }
    }

    private static BsonDocument appendTo(BsonDocument operators, String operator, BsonDocument fields) {
        return fields.isEmpty() ? operators : operators.append(operator, fields);
    }
}
