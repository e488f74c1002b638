package org.mongolocks.embedded.internal.expression;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.WholeNumber;
import org.mongolocks.embedded.internal.error.CommandError;

/** Parts of strings, by code point and by byte of their UTF-8 form. */
final class SubstringOperators {
    static final Map<String, Operator> ALL = Map.of(
            "$substr", Operator.fixed(3, SubstringOperators::byBytes),
            "$substrBytes", Operator.fixed(3, SubstringOperators::byBytes),
            "$substrCP", Operator.fixed(3, SubstringOperators::byCodePoints),
            "$indexOfCP", Operator.atLeast(2, 4, SubstringOperators::indexByCodePoints));

    private SubstringOperators() {}

    private static Object byBytes(Arguments arguments) {
        byte[] bytes = StringConversion.coerce(arguments.get(0)).getBytes(StandardCharsets.UTF_8);
        long start = WholeNumber.of(arguments.number(1, 16034));
        long length = WholeNumber.of(arguments.number(2, 16035));
        if (start < 0) {
            throw new CommandError(50752, "$substrBytes: starting index must be non-negative (got: " + start + ")");
        }
        int from = (int) Math.min(start, bytes.length);
        int to = length < 0 ? bytes.length : (int) Math.min(from + length, bytes.length);
        if (isContinuation(bytes, from)) {
            throw new CommandError(28656, "$substrBytes:  Invalid range, starting index is a UTF-8 continuation byte.");
        }
        if (isContinuation(bytes, to)) {
            throw new CommandError(
                    28657, "$substrBytes:  Invalid range, ending index is in the middle of a UTF-8 character.");
        }
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    private static boolean isContinuation(byte[] bytes, int index) {
        return index < bytes.length && (bytes[index] & 0xC0) == 0x80;
    }

    private static Object byCodePoints(Arguments arguments) {
        String text = StringConversion.coerce(arguments.get(0));
        int points = text.codePointCount(0, text.length());
        int start = whole(arguments.number(1, 34450), 34451, 34455);
        int length = whole(arguments.number(2, 34452), 34453, 34454);
        int from = Math.min(start, points);
        int to = (int) Math.min((long) from + length, points);
        return text.substring(text.offsetByCodePoints(0, from), text.offsetByCodePoints(0, to));
    }

    private static int whole(Number value, int wholeCode, int signCode) {
        if (value.doubleValue() != WholeNumber.intOf(value)) {
            throw new CommandError(wholeCode, "$substrCP: a 32-bit integral value is required, found " + value);
        }
        if (WholeNumber.intOf(value) < 0) {
            throw new CommandError(signCode, "$substrCP: a nonnegative integer is required, found " + value);
        }
        return WholeNumber.intOf(value);
    }

    private static @Nullable Object indexByCodePoints(Arguments arguments) {
        if (Absence.isNullish(arguments.get(0))) {
            return null;
        }
        String text = arguments.string(0, 40093);
        String wanted = arguments.string(1, 40094);
        int points = text.codePointCount(0, text.length());
        int start = ArrayOperators.bound(arguments, 2, 0);
        int end = Math.min(ArrayOperators.bound(arguments, 3, points), points);
        if (start > end) {
            return -1;
        }
        int at = text.indexOf(wanted, text.offsetByCodePoints(0, start));
        boolean isInside = at >= 0 && at + wanted.length() <= text.offsetByCodePoints(0, end);
        return isInside ? text.codePointCount(0, at) : -1;
    }
}
