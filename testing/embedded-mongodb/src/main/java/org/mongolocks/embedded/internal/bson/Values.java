package org.mongolocks.embedded.internal.bson;

import de.bwaldvogel.mongo.backend.Missing;
import org.jspecify.annotations.Nullable;

/** Tests of a value apart from its type: missing, null, true. */
public final class Values {
    /** Stands for a field that does not exist. */
    public static final Object MISSING = Missing.getInstance();

    private Values() {}

    public static boolean isMissing(@Nullable Object value) {
        return value == MISSING;
    }

    /** Whether a value is null or not there at all, which most operators treat alike. */
    public static boolean isNullish(@Nullable Object value) {
        return value == null || value == MISSING;
    }

    /** The value itself, or null in the place of a missing one. */
    public static @Nullable Object toNull(@Nullable Object value) {
        return value == MISSING ? null : value;
    }

    /** False are false, zero, null and missing; all else, an empty array too, is true. */
    public static boolean isTrue(@Nullable Object value) {
        if (value instanceof Boolean b) {
            return b;
        }
        if (value instanceof Number number) {
            return number.doubleValue() != 0;
        }
        return !Values.isNullish(value);
    }
}
