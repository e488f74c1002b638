package org.mongolocks.embedded.internal.query;

import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.ValueOrder;

/** A comparison with a value of the filter; values of another type do not compare at all. */
public record Comparison(Relation relation, @Nullable Object operand) implements ValueTest {
    /** How the value of the document relates to that of the filter. */
    public enum Relation {
        EQ,
        LT,
        LTE,
        GT,
        GTE;

        boolean holds(int order) {
            return switch (this) {
                case EQ -> order == 0;
                case LT -> order < 0;
                case LTE -> order <= 0;
                case GT -> order > 0;
                case GTE -> order >= 0;
            };
        }

        boolean includesEqual() {
            return this != LT && this != GT;
        }
    }

    @Override
    public boolean test(@Nullable Object value) {
        BsonKind own = BsonKind.of(operand);
        BsonKind other = BsonKind.of(value);
        if (own.rank() != other.rank()) {
            return acrossTypes(own, other);
        }
        if (isNaN(operand) || isNaN(value)) {
            return relation.includesEqual() && isNaN(operand) && isNaN(value);
        }
        return relation.holds(ValueOrder.compare(value, operand));
    }

    private boolean acrossTypes(BsonKind own, BsonKind other) {
        if (own == BsonKind.NULL && other == BsonKind.MISSING) {
            return relation.includesEqual();
        }
        boolean isExtreme = own == BsonKind.MIN_KEY || own == BsonKind.MAX_KEY;
        return isExtreme && relation.holds(Integer.compare(other.rank(), own.rank()));
    }

    private static boolean isNaN(@Nullable Object value) {
        return value instanceof Number number && Double.isNaN(number.doubleValue());
    }
}
