package org.mongolocks.embedded.internal.query;

import de.bwaldvogel.mongo.bson.BinData;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.WholeNumber;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** {@code $bitsAllSet} and its relatives: bits of a whole number or of binary data. */
record BitTest(Kind kind, BigInteger mask) implements ValueTest {
    /** Which of the bits must be what. */
    enum Kind {
        ALL_SET,
        ALL_CLEAR,
        ANY_SET,
        ANY_CLEAR
    }

    static BitTest of(String operator, @Nullable Object argument) {
        return switch (operator) {
            case "$bitsAllSet" -> new BitTest(Kind.ALL_SET, mask(argument));
            case "$bitsAllClear" -> new BitTest(Kind.ALL_CLEAR, mask(argument));
            case "$bitsAnySet" -> new BitTest(Kind.ANY_SET, mask(argument));
            default -> new BitTest(Kind.ANY_CLEAR, mask(argument));
        };
    }

    private static BigInteger mask(@Nullable Object argument) {
        if (argument instanceof List) {
            return positions((List<?>) argument);
        }
        BigInteger mask = bits(argument);
        if (mask == null || (argument instanceof Number && mask.signum() < 0)) {
            throw bad("Expected a nonnegative whole number, an array of bit positions or binary data");
        }
        return mask;
    }

    private static BigInteger positions(List<?> positions) {
        BigInteger mask = BigInteger.ZERO;
        for (Object position : positions) {
            BigInteger bit = bits(position);
            if (!(position instanceof Number) || bit == null || bit.signum() < 0 || bit.bitLength() > 31) {
                throw bad("bit positions must be nonnegative integers");
            }
            mask = mask.setBit(Math.min(bit.intValueExact(), Short.MAX_VALUE));
        }
        return mask;
    }

    private static @Nullable BigInteger bits(@Nullable Object value) {
        if (value instanceof BinData binData) {
            byte[] bytes = binData.getData().clone();
            for (int i = 0, j = bytes.length - 1; i < j; i++, j--) {
                byte swapped = bytes[i];
                bytes[i] = bytes[j];
                bytes[j] = swapped;
            }
            return new BigInteger(1, bytes);
        }
        if (value instanceof Number number && number.doubleValue() == Math.rint(number.doubleValue())) {
            return BigInteger.valueOf(WholeNumber.of(number));
        }
        return null;
    }

    @Override
    public boolean test(@Nullable Object value, MatchDetails details) {
        BigInteger bits = bits(value);
        if (bits == null) {
            return false;
        }
        BigInteger common = bits.and(mask);
        return switch (kind) {
            case ALL_SET -> common.equals(mask);
            case ALL_CLEAR -> common.signum() == 0;
            case ANY_SET -> common.signum() != 0;
            case ANY_CLEAR -> !common.equals(mask);
        };
    }

    private static CommandError bad(String message) {
        return new CommandError(ErrorCode.BAD_VALUE, message);
    }
}
