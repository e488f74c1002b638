package org.mongolocks.embedded.internal.update;

import org.jspecify.annotations.Nullable;

/** What one update operator does to the value at its path. */
interface Modifier {
    /**
     * Gives the new value.
     *
     * @param current the value now, or missing
     * @return the new value, {@code current} itself for no change, or missing to remove the field
     */
    @Nullable
    Object apply(@Nullable Object current, FieldPosition at);

    /** Whether there may be something to do where the field is missing. */
    default boolean creates() {
        return true;
    }

    /** Whether the path must be one that a field could be made at, even if there is nothing to do. */
    default boolean needsViablePath() {
        return false;
    }

    /** Writes down what changed. */
    default void log(@Nullable Object before, @Nullable Object after, FieldPosition at) {
        at.log().set(at.path(), after);
    }
}
