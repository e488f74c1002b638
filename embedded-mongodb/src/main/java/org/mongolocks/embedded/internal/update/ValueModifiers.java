package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.Arithmetic;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.Collation;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.ValueOrder;

/** The operators that give a field a value, whatever it was, or compute one from it. */
final class ValueModifiers {
    private ValueModifiers() {}

    /** {@code $set}. */
    record Assign(@Nullable Object value) implements Modifier {
        @Override
        public @Nullable Object apply(@Nullable Object current, FieldPosition at) {
            return value;
        }
    }

    /** {@code $setOnInsert}. */
    record AssignOnInsert(@Nullable Object value) implements Modifier {
        @Override
        public @Nullable Object apply(@Nullable Object current, FieldPosition at) {
            return at.context().isInsert() ? value : current;
        }
    }

    /** {@code $unset}, and the source of {@code $rename}. */
    record Remove() implements Modifier {
        @Override
        public @Nullable Object apply(@Nullable Object current, FieldPosition at) {
            return Absence.MISSING;
        }

        @Override
        public boolean creates() {
            return false;
        }
    }

    /** {@code $inc} and {@code $mul}. */
    record Compute(String operator, Arithmetic arithmetic, Number operand) implements Modifier {
        static Compute of(String operator, Arithmetic arithmetic, String path, @Nullable Object operand) {
            if (operand instanceof Number number) {
                return new Compute(operator, arithmetic, number);
            }
            String verb = arithmetic == Arithmetic.ADD ? "increment" : "multiply";
            throw UpdateError.wrongType(
                    "Cannot " + verb + " with non-numeric argument: {" + ShellText.field(path, operand) + "}");
        }

        @Override
        public @Nullable Object apply(@Nullable Object current, FieldPosition at) {
            if (Absence.isMissing(current)) {
                return arithmetic == Arithmetic.ADD ? operand : arithmetic.of(operand, 0);
            }
            if (!(current instanceof Number number)) {
                throw UpdateError.wrongType("Cannot apply " + operator + " to a value of non-numeric type. "
                        + at.document() + " has the field '" + at.lastPart() + "' of non-numeric type "
                        + BsonKind.of(current).alias());
            }
            Number result = arithmetic.of(number, operand);
            if (result == null) {
                throw UpdateError.badValue("Failed to apply " + operator + " operations to current value (" + number
                        + ") for document " + at.document());
            }
            return result;
        }
    }

    /** {@code $max} (sign 1) and {@code $min} (sign -1). */
    record Extreme(
            int sign, @Nullable Object value, @Nullable Collation collation) implements Modifier {
        @Override
        public @Nullable Object apply(@Nullable Object current, FieldPosition at) {
            boolean isBetter = Absence.isMissing(current) || sign * ValueOrder.compare(value, current, collation) > 0;
            return isBetter ? value : current;
        }
    }

    /** {@code $currentDate}. */
    record CurrentDate(boolean isTimestamp) implements Modifier {
        static CurrentDate of(@Nullable Object argument) {
            if (argument instanceof Boolean) {
                return new CurrentDate(false);
            }
            if (!(argument instanceof Document spec)) {
                throw UpdateError.badValue(BsonKind.of(argument).alias()
                        + " is not valid type for $currentDate. Please use a boolean ('true') or a $type expression"
                        + " ({$type: 'timestamp/date'}).");
            }
            if (!spec.keySet().equals(Set.of("$type"))
                    || !List.of("timestamp", "date").contains(spec.get("$type"))) {
                throw UpdateError.badValue("The '$type' string field is required to be 'date' or 'timestamp': "
                        + "{$currentDate: {field : {$type: 'date'}}}");
            }
            return new CurrentDate("timestamp".equals(spec.get("$type")));
        }

        @Override
        public Object apply(@Nullable Object current, FieldPosition at) {
            return isTimestamp ? at.context().timestamps().get() : at.context().now();
        }
    }
}
