package org.mongolocks.embedded.internal.plan;

import de.bwaldvogel.mongo.bson.MaxKey;
import de.bwaldvogel.mongo.bson.MinKey;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.ValueOrder;

/**
 * A range of values of the first field of an index, ends included: what lies on an end and does not match is sorted out later.
 *
 * @param low the least value
 * @param high the greatest value
 */
record Interval(@Nullable Object low, @Nullable Object high) {
    /** All values. */
    static final Interval ALL = new Interval(MinKey.getInstance(), MaxKey.getInstance());

    static Interval point(@Nullable Object value) {
        return new Interval(value, value);
    }

    boolean isPoint() {
        return ValueOrder.same(low, high);
    }

    boolean contains(@Nullable Object value) {
        return ValueOrder.compare(low, value) <= 0 && ValueOrder.compare(value, high) <= 0;
    }
}
