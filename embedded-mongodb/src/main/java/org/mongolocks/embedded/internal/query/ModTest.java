package org.mongolocks.embedded.internal.query;

import de.bwaldvogel.mongo.bson.Decimal128;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.NumberOrder;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** {@code $mod}: a number that leaves a remainder. */
record ModTest(long divisor, long remainder) implements ValueTest {
    static ModTest of(@Nullable Object argument) {
        if (!(argument instanceof List)) {
            throw bad("malformed mod, needs to be an array");
        }
        List<?> pair = (List<?>) argument;
        if (pair.size() != 2) {
            throw bad(pair.size() < 2 ? "malformed mod, not enough elements" : "malformed mod, too many elements");
        }
        if (!(pair.get(0) instanceof Number)) {
            throw bad("malformed mod, divisor not a number");
        }
        long divisor = whole((Number) pair.get(0));
        if (divisor == 0) {
            throw bad("divisor cannot be 0");
        }
        return new ModTest(divisor, pair.get(1) instanceof Number ? whole((Number) pair.get(1)) : 0);
    }

    @Override
    public boolean test(@Nullable Object value, MatchDetails details) {
        return value instanceof Number number
                && Double.isFinite(number.doubleValue())
                && whole(number) % divisor == remainder;
    }

    private static long whole(Number value) {
        return value instanceof Decimal128 ? NumberOrder.exact(value).longValue() : value.longValue();
    }

    private static CommandError bad(String message) {
        return new CommandError(ErrorCode.BAD_VALUE, message);
    }
}
