package org.mongolocks.embedded.internal.bson;

import de.bwaldvogel.mongo.bson.Decimal128;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.error.CommandError;

/**
 * Sums, differences and products of BSON numbers: the wider type wins, an int that overflows becomes a long, and a long that overflows has
 * no result, because expressions and update operators disagree about what follows.
 */
public enum Arithmetic {
    ADD {
        @Override
        long exactly(long a, long b) {
            return Math.addExact(a, b);
        }

        @Override
        double roughly(double a, double b) {
            return a + b;
        }
    },
    SUBTRACT {
        @Override
        long exactly(long a, long b) {
            return Math.subtractExact(a, b);
        }

        @Override
        double roughly(double a, double b) {
            return a - b;
        }
    },
    MULTIPLY {
        @Override
        long exactly(long a, long b) {
            return Math.multiplyExact(a, b);
        }

        @Override
        double roughly(double a, double b) {
            return a * b;
        }
    };

    abstract long exactly(long a, long b);

    abstract double roughly(double a, double b);

    /** The result, or null if it is a whole number too large for a long. */
    public @Nullable Number of(Number a, Number b) {
        if (a instanceof Decimal128 || b instanceof Decimal128) {
            throw CommandError.unsupported("Arithmetic with a decimal");
        }
        if (a instanceof Double || b instanceof Double) {
            return roughly(a.doubleValue(), b.doubleValue());
        }
        return ofWhole(a, b);
    }

    /** The result, as a double where a long is too small. */
    public Number widening(Number a, Number b) {
        Number result = of(a, b);
        return result != null ? result : (Number) roughly(a.doubleValue(), b.doubleValue());
    }

    private @Nullable Number ofWhole(Number a, Number b) {
        try {
            long result = exactly(a.longValue(), b.longValue());
            boolean isInt = a instanceof Integer && b instanceof Integer && result == (int) result;
            return isInt ? (Number) (int) result : (Number) result;
        } catch (ArithmeticException overflow) {
            return null;
        }
    }
}
