package org.mongolocks.embedded.internal.bson;

import de.bwaldvogel.mongo.backend.Missing;
import org.jspecify.annotations.Nullable;

/** The value of a field that is not there, as opposed to one that is null. */
public final class Absence {
    /** Stands for a field that does not exist. */
    public static final Object MISSING = Missing.getInstance();

    private Absence() {}

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
}
