package org.mongolocks.embedded.internal.index;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key of a document in an index, with the record it leads to.
 *
 * @param values one for each field of the index
 * @param record the id of the record
 */
public record IndexKey(List<@Nullable Object> values, long record) {
    /** A key that sorts before all records with these values. */
    static IndexKey before(List<@Nullable Object> values) {
        return new IndexKey(values, Long.MIN_VALUE);
    }

    static List<@Nullable Object> single(@Nullable Object value) {
        return Arrays.asList(value);
    }
}
