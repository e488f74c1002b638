package org.mongolocks;

import java.nio.charset.StandardCharsets;
import org.bson.BsonDocument;
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
     * @param one a path
     * @param other a path
     * @return true if a change of the one may change the other
     */
    public static boolean overlap(String one, String other) {
        return one.equals(other) || one.startsWith(other + ".") || other.startsWith(one + ".");
    }

    /**
     * Returns the number in a field.
     *
     * @param path the field
     * @param document the document
     * @return the number; zero if the field is missing
     * @throws IllegalStateException if the field holds something other than a number
     */
    public static long number(String path, BsonDocument document) {
        BsonValue found = follow(path, document);
        if (found == null || found.isNull()) {
            return 0;
        }
        if (found instanceof BsonNumber number) {
            return number.longValue();
        }
        throw new IllegalStateException(
                "The field '" + path + "' must be a number or missing, was a " + found.getBsonType());
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
