package org.mongolocks.embedded.internal.query;

import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.query.ValueTest.RegexTest;

/** {@code $in}: equal to one of several values, or matched by one of several regular expressions. */
public final class OneOf implements ValueTest {
    private final TreeSet<@Nullable Object> values = new TreeSet<>(ValueOrder.COMPARATOR);
    private final List<RegexTest> patterns = new ArrayList<>();

    OneOf(Collection<?> candidates) {
        for (Object candidate : candidates) {
            if (candidate instanceof BsonRegularExpression bsonRegularExpression) {
                patterns.add(RegexTest.of(bsonRegularExpression));
            }
            values.add(candidate);
        }
    }

    /** The values in their order, without repetitions. */
    public Collection<@Nullable Object> values() {
        return values;
    }

    public boolean hasPatterns() {
        return !patterns.isEmpty();
    }

    @Override
    public boolean test(@Nullable Object value) {
        if (values.contains(Values.toNull(value))) {
            return true;
        }
        for (RegexTest pattern : patterns) {
            if (pattern.test(value)) {
                return true;
            }
        }
        return false;
    }
}
