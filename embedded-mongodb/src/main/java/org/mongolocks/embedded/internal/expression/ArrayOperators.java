package org.mongolocks.embedded.internal.expression;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.bson.WholeNumber;
import org.mongolocks.embedded.internal.error.CommandError;

/** Functions of arrays. */
final class ArrayOperators {
    static final Map<String, Operator> ALL = Map.ofEntries(
            Map.entry("$isArray", Operator.fixed(1, arguments -> arguments.get(0) instanceof List)),
            Map.entry(
                    "$size",
                    Operator.fixed(1, arguments -> arguments.array(0, 17124).size())),
            Map.entry("$in", Operator.fixed(2, ArrayOperators::in)),
            Map.entry("$arrayElemAt", Operator.fixed(2, ArrayOperators::elementAt)),
            Map.entry("$first", Operator.fixed(1, arguments -> end(arguments, 0))),
            Map.entry("$last", Operator.fixed(1, arguments -> end(arguments, -1))),
            Map.entry("$slice", Operator.atLeast(2, 3, ArrayOperators::slice)),
            Map.entry("$indexOfArray", Operator.atLeast(2, 4, ArrayOperators::indexOf)));

    private ArrayOperators() {}

    private static Object in(Arguments arguments) {
        if (!(arguments.get(1) instanceof List)) {
            throw new CommandError(
                    40081, "$in requires an array as a second argument, found: " + Arguments.type(arguments.get(1)));
        }
        for (Object element : arguments.array(1, 40081)) {
            if (ValueOrder.same(element, arguments.get(0), arguments.collation())) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Object elementAt(Arguments arguments) {
        if (arguments.anyNullish()) {
            return null;
        }
        List<?> array = arguments.array(0, 28689);
        return at(array, whole(arguments.number(1, 28690), 28691));
    }

    private static @Nullable Object end(Arguments arguments, int index) {
        return arguments.anyNullish() ? null : at(arguments.array(0, 28689), index);
    }

    private static @Nullable Object at(List<?> array, int index) {
        int position = index < 0 ? array.size() + index : index;
        return position < 0 || position >= array.size() ? Absence.MISSING : array.get(position);
    }

    private static int whole(Number value, int code) {
        if (value.doubleValue() != WholeNumber.intOf(value)) {
            throw new CommandError(code, "a 32-bit integer is needed, but found " + value);
        }
        return WholeNumber.intOf(value);
    }

    private static @Nullable Object slice(Arguments arguments) {
        if (arguments.anyNullish()) {
            return null;
        }
        List<?> array = arguments.array(0, 28724);
        int second = whole(arguments.number(1, 28725), 28726);
        if (arguments.size() == 2) {
            int count = Math.min(Math.abs(second), array.size());
            return second < 0 ? array.subList(array.size() - count, array.size()) : array.subList(0, count);
        }
        int count = whole(arguments.number(2, 28727), 28728);
        if (count <= 0) {
            throw new CommandError(28729, "Third argument to $slice must be positive: " + count);
        }
        int start = second < 0 ? Math.max(0, array.size() + second) : Math.min(second, array.size());
        return array.subList(start, (int) Math.min((long) start + count, array.size()));
    }

    private static @Nullable Object indexOf(Arguments arguments) {
        if (Absence.isNullish(arguments.get(0))) {
            return null;
        }
        List<?> array = arguments.array(0, 40090);
        int start = bound(arguments, 2, 0);
        int end = Math.min(bound(arguments, 3, array.size()), array.size());
        for (int i = start; i < end; i++) {
            if (ValueOrder.same(array.get(i), arguments.get(1), arguments.collation())) {
                return i;
            }
        }
        return -1;
    }

    /** An optional bound of a search. */
    static int bound(Arguments arguments, int index, int otherwise) {
        if (arguments.size() <= index) {
            return otherwise;
        }
        int bound = whole(arguments.number(index, 40096), 40096);
        if (bound < 0) {
            throw new CommandError(40097, arguments.operator() + " requires a nonnegative index, found: " + bound);
        }
        return bound;
    }
}
