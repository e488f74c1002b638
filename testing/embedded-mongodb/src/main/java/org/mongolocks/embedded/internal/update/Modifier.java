package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Arithmetic;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.update.UpdateNode.FieldPosition;

/** The effect of one update operator on the value at its path. */
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

    /** Writes down what changed. */
    default void log(@Nullable Object before, @Nullable Object after, FieldPosition at) {
        at.log().put(at.path(), after);
    }

    /** {@code $unset}. */
    record Remove() implements Modifier {
        @Override
        public @Nullable Object apply(@Nullable Object current, FieldPosition at) {
            return Values.MISSING;
        }

        @Override
        public boolean creates() {
            return false;
        }
    }

    /** {@code $rename} at the path of the source. That it is gone is logged where the target is, as MongoDB does. */
    record RenameSource() implements Modifier {
        @Override
        public @Nullable Object apply(@Nullable Object current, FieldPosition at) {
            return Values.MISSING;
        }

        @Override
        public boolean creates() {
            return false;
        }

        @Override
        public void log(@Nullable Object before, @Nullable Object after, FieldPosition at) {}
    }

    /** {@code $inc} and {@code $mul}. */
    record Compute(String operator, Arithmetic arithmetic, Number operand) implements Modifier {
        static Compute of(String operator, Arithmetic arithmetic, String path, @Nullable Object operand) {
            if (operand instanceof Number number) {
                return new Compute(operator, arithmetic, number);
            }
            String verb = arithmetic == Arithmetic.ADD ? "increment" : "multiply";
            throw CommandError.typeMismatch(
                    "Cannot " + verb + " with non-numeric argument: {" + ShellText.field(path, operand) + "}");
        }

        @Override
        public @Nullable Object apply(@Nullable Object current, FieldPosition at) {
            if (Values.isMissing(current)) {
                return arithmetic == Arithmetic.ADD ? operand : arithmetic.of(operand, 0);
            }
            if (!(current instanceof Number number)) {
                throw CommandError.typeMismatch("Cannot apply " + operator + " to a value of non-numeric type. "
                        + at.document() + " has the field '" + at.lastPart() + "' of non-numeric type "
                        + BsonKind.nameOf(current));
            }
            Number result = arithmetic.of(number, operand);
            if (result == null) {
                throw CommandError.badValue("Failed to apply " + operator + " operations to current value (" + number
                        + ") for document " + at.document());
            }
            return result;
        }
    }

    /** {@code $max} (sign 1) and {@code $min} (sign -1). */
    static Modifier extreme(int sign, @Nullable Object value) {
        return (current, at) ->
                Values.isMissing(current) || sign * ValueOrder.compare(value, current) > 0 ? value : current;
    }

    /** {@code $currentDate}. */
    static Modifier currentDate(@Nullable Object argument) {
        Object type = argument instanceof Document asked && asked.size() == 1 ? asked.get("$type") : "date";
        if ("timestamp".equals(type)) {
            return (current, at) -> at.context().timestamps().get();
        }
        if (!"date".equals(type) || !(argument instanceof Boolean || argument instanceof Document)) {
            throw CommandError.badValue("$currentDate takes a boolean, or {$type: 'timestamp'} or {$type: 'date'}");
        }
        return (current, at) -> at.context().now();
    }

    /** {@code $rename} at the path of the target, which takes the value of the source. */
    record RenameTarget(FieldPath source) implements Modifier {
        @Override
        public @Nullable Object apply(@Nullable Object current, FieldPosition at) {
            Document document = at.context().original();
            Object value = source.in(document);
            if (Values.isMissing(value)) {
                return current;
            }
            at.log().put(source.toString(), Values.MISSING);
            return value;
        }
    }
}
