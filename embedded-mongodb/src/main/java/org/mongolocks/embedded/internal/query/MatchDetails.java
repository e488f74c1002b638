package org.mongolocks.embedded.internal.query;

import org.jspecify.annotations.Nullable;

/** Which element of an array made a filter match, for the positional operator {@code $}. */
public final class MatchDetails {
    private int index = -1;

    void found(int arrayIndex) {
        index = arrayIndex;
    }

    /** The index, or null if no array was involved. */
    public @Nullable Integer arrayIndex() {
        return index < 0 ? null : index;
    }
}
