package org.mongolocks;

import java.nio.charset.StandardCharsets;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The names of fields in users' documents: validation and access. */
final class FenceFieldPath {
    private FenceFieldPath() {}

    /**
     * Checks that the library may write a field of that name.
     *
     * @param what the subject of the message, for example {@code field}
     * @param path the name, or names separated by dots
     * @throws IllegalArgumentException if it is invalid; the message says what is allowed
     */
    public static void require(String what, String path) {
        boolean fits =
                path.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(path);
        for (String part : path.split("\\.", -1)) {
            fits &= !part.isEmpty() && !part.startsWith("$") && !part.chars().allMatch(FenceFieldPath::isDigit);
        }
        if (!fits || overlap(path, "_id")) {
            throw new IllegalArgumentException(
                    what + " must be a name other than _id, or several names separated by dots, each"
                            + " not empty, not a number, and not beginning with '$'; was '" + path + "'");
        }
    }

    /**
     * Returns whether two paths are equal, or one contains the other.
     *
     * @param one a path, also one with {@code $[]}, which stands for any name
     * @param other a path without
     * @return true if a change of the one may change the other
     */
    public static boolean overlap(String one, String other) {
        String[] parts = one.split("\\.", -1);
        String[] others = other.split("\\.", -1);
        boolean isSame = parts[0].equals(others[0]);
        for (int i = 1; i < Math.min(parts.length, others.length); i++) {
            isSame &= parts[i].equals(others[i]) || parts[i].startsWith("$");
        }
        return isSame;
    }

    /**
     * Returns the number in a field.
     *
     * @param path the field
     * @param document the document
     * @return the number; zero if the field is missing
     * @throws IllegalStateException if the field holds something other than a whole number
     */
    public static long number(String path, BsonDocument document) {
        BsonValue found = follow(path, document);
        if (found == null || found.isNull()) {
            return 0;
        }
        if (isWhole(found)) {
            return found.asNumber().longValue();
        }
        throw new IllegalStateException(
                "The field '" + path + "' must be a whole number or missing, was a " + found.getBsonType());
    }

    /**
     * Returns a copy of a document with a number in a field.
     *
     * @param path the field
     * @param number the number
     * @param document the document
     * @return the copy
     * @throws IllegalArgumentException if the field cannot be set, or holds something else than that number or zero
     */
    public static BsonDocument with(String path, long number, BsonDocument document) {
        int dot = path.indexOf('.');
        String name = dot < 0 ? path : path.substring(0, dot);
        BsonValue old = document.get(name, BsonNull.VALUE);
        document.keySet().forEach(key -> requireNoPath(key, path));
        BsonDocument copy = new BsonDocument();
        copy.putAll(document);
        if (dot >= 0 && (old.isNull() || old.isDocument())) {
            BsonDocument inner = old.isNull() ? new BsonDocument() : old.asDocument();
            return copy.append(name, with(path.substring(dot + 1), number, inner));
        }
        if (dot < 0 && (old.isNull() || isZeroOr(number, old))) {
            return copy.append(name, new BsonInt64(number));
        }
        throw new IllegalArgumentException(
                "A replacement must not change the field of its fence, but its field '" + name + "' is " + old);
    }

    /** A stored name with a dot is not the path, and no command could tell them apart. */
    private static void requireNoPath(String name, String path) {
        if (name.indexOf('.') >= 0 && overlap(name, path)) {
            throw new IllegalArgumentException(
                    "A replacement must not change the field of its fence, but it has a field named '" + name + "'");
        }
    }

    private static boolean isZeroOr(long number, BsonValue value) {
        return isWhole(value)
                && (value.asNumber().longValue() == 0 || value.asNumber().longValue() == number);
    }

    private static boolean isWhole(BsonValue value) {
        return value instanceof BsonNumber number && number.doubleValue() == number.longValue();
    }

    private static @Nullable BsonValue follow(String path, BsonDocument document) {
        BsonValue at = document;
        for (String part : path.split("\\.", -1)) {
            at = at instanceof BsonDocument inner ? inner.get(part) : null;
        }
        return at;
    }

    private static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }
}
