package org.mongolocks.embedded.internal.bson;

import org.jspecify.annotations.Nullable;

/** Which values count as true. */
public final class Truth {
    private Truth() {}

    /** False are false, zero, null and missing; all else, an empty array too, is true. */
    public static boolean of(@Nullable Object value) {
        if (value instanceof Boolean b) {
            return b;
        }
        if (value instanceof Number number) {
            return number.doubleValue() != 0;
        }
        return !Absence.isNullish(value);
    }
}
