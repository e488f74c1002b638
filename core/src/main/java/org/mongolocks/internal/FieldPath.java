package org.mongolocks.internal;

import org.bson.BsonDocument;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Checks and follows the names of fields in documents of users. */
public final class FieldPath {
    private FieldPath() {}

    /**
     * Refuses what is not the name of a field that the library may write.
     *
     * @param what for the message, for example {@code The field of a fence}
     * @param path the name, or names with dots between them
     * @throws IllegalArgumentException if it cannot be one; the message says what is allowed
     */
    public static void require(String what, String path) {
        boolean fits = path.indexOf('\0') < 0;
        for (String part : path.split("\\.", -1)) {
            fits &= !part.isEmpty() && !part.startsWith("$") && !part.chars().allMatch(FieldPath::isDigit);
        }
        if (!fits || overlap(path, "_id")) {
            throw new IllegalArgumentException(
                    what + " is a name other than _id, or several with dots between them, each"
                            + " not empty, not a number, and without '$' at its beginning; but it was '" + path + "'");
        }
    }

    /**
     * Tells whether one path is the other, or leads through it.
     *
     * @param one a path
     * @param other a path
     * @return true if a change of the one may change the other
     */
    public static boolean overlap(String one, String other) {
        return one.equals(other) || one.startsWith(other + ".") || other.startsWith(one + ".");
    }

    /**
     * Gives the number in a field.
     *
     * @param path the field
     * @param document the document
     * @return the number; zero if there is nothing
     * @throws IllegalStateException if there is something else than a number
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
                "The field '" + path + "' is a number or is missing, but it was a " + found.getBsonType());
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
