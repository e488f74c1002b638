package org.mongolocks.embedded.internal.plan;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.bson.MaxKey;
import de.bwaldvogel.mongo.bson.MinKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.index.IndexSpec;
import org.mongolocks.embedded.internal.query.Comparison;
import org.mongolocks.embedded.internal.query.Condition;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.query.ValueTest.OneOf;

/** Which intervals of a field a filter confines its matches to. */
final class Bounds {
    private static final List<Interval> ALL = List.of(Interval.ALL);

    private final FieldPath path;
    private @Nullable List<Interval> best;

    private Bounds(IndexSpec index) {
        this.path = index.paths().get(0);
    }

    /** The intervals of the first field of an index; null if the filter does not restrict it in a way that the index supports. */
    static @Nullable List<Interval> of(Filter filter, IndexSpec index) {
        Bounds bounds = new Bounds(index);
        bounds.visit(filter);
        return bounds.best;
    }

    private void visit(Filter filter) {
        if (filter instanceof Filter.And and) {
            and.parts().forEach(this::visit);
        } else if (filter instanceof Filter.Field field
                && field.path().toString().equals(path.toString())) {
            visit(field.condition());
        }
    }

    private void visit(Condition condition) {
        if (condition instanceof Condition.All all) {
            all.parts().forEach(this::visit);
        } else if (condition instanceof Condition.Single single) {
            offer(single);
        } else {
            offer(ALL);
        }
    }

    private void offer(Condition.Single single) {
        if (single.test() instanceof Comparison comparison) {
            offer(of(comparison));
        } else if (single.test() instanceof OneOf oneOf) {
            offer(of(oneOf));
        } else {
            offer(ALL);
        }
    }

    // Points are better than a range, and any range is better than everything.
    private void offer(List<Interval> intervals) {
        if (best == null || best.equals(ALL) || (!isPoints(best) && isPoints(intervals))) {
            best = intervals;
        }
    }

    static boolean isPoints(List<Interval> intervals) {
        return intervals.stream().allMatch(Interval::isPoint);
    }

    private static List<Interval> of(Comparison comparison) {
        Object operand = comparison.operand();
        if (operand instanceof List || operand instanceof Document) {
            boolean isPoint = operand instanceof Document && comparison.relation() == Comparison.Relation.EQ;
            return isPoint ? List.of(Interval.point(operand)) : ALL;
        }
        return switch (comparison.relation()) {
            case EQ -> Collections.singletonList(Interval.point(operand));
            case GT, GTE -> List.of(new Interval(operand, Interval.ALL.high()));
            case LT, LTE -> List.of(new Interval(Interval.ALL.low(), operand));
        };
    }

    private static List<Interval> of(OneOf oneOf) {
        List<Interval> points = new ArrayList<>();
        for (Object value : oneOf.values()) {
            if (value instanceof List) {
                return ALL;
            }
            points.add(Interval.point(value));
        }
        return points;
    }

    /**
     * A range of values of the first field of an index, ends included: values on an end that do not match are removed later.
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
}
