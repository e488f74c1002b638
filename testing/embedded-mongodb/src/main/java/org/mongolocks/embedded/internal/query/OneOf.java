package org.mongolocks.embedded.internal.query;

import java.util.Collection;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.bson.Values;

/** {@code $in}: equal to one of several values. */
public final class OneOf implements ValueTest {
    private final TreeSet<@Nullable Object> values = new TreeSet<>(ValueOrder.COMPARATOR);

    OneOf(Collection<?> candidates) {
        values.addAll(candidates);
    }

    /** The values in their order, without repetitions. */
    public Collection<@Nullable Object> values() {
        return values;
    }

    @Override
    public boolean test(@Nullable Object value) {
        return values.contains(Values.toNull(value));
    }
}
