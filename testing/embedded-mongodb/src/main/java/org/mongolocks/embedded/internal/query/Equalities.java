package org.mongolocks.embedded.internal.query;

import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;

/** Finds the fields that every match of a filter must have with one given value. */
public final class Equalities {
    private Equalities() {}

    /** Takes a path and the value that it must equal. */
    @FunctionalInterface
    public interface Visitor {
        void visit(FieldPath path, @Nullable Object value);
    }

    public static void in(Filter filter, Visitor visitor) {
        if (filter instanceof Filter.Field field) {
            in(field.path(), field.condition(), visitor);
        } else if (filter instanceof Filter.And and) {
            and.parts().forEach(part -> in(part, visitor));
        } else if (filter instanceof Filter.Or or && or.parts().size() == 1) {
            in(or.parts().get(0), visitor);
        }
    }

    private static void in(FieldPath path, Condition condition, Visitor visitor) {
        if (condition instanceof Condition.All all) {
            all.parts().forEach(part -> in(path, part, visitor));
        } else if (condition instanceof Condition.Single single) {
            in(path, single.test(), visitor);
        }
    }

    // To be one of a single value is to be equal to it.
    private static void in(FieldPath path, Object test, Visitor visitor) {
        if (test instanceof Comparison comparison && comparison.relation() == Comparison.Relation.EQ) {
            visitor.visit(path, comparison.operand());
        } else if (test instanceof ValueTest.OneOf oneOf && oneOf.values().size() == 1) {
            visitor.visit(path, oneOf.values().first());
        }
    }
}
