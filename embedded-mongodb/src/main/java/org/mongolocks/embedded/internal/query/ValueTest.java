package org.mongolocks.embedded.internal.query;

import org.jspecify.annotations.Nullable;

/** A test of one value; a missing field is a value too. */
public interface ValueTest {
    boolean test(@Nullable Object value, MatchDetails details);

    /** Whether an array at the end of the path also stands for each of its elements. */
    default boolean looksIntoArrays() {
        return true;
    }
}
