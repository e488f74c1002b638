package org.mongolocks.benchmarks.report;

import java.util.Locale;

/** A number format that is independent of the locale. */
final class NumberFormat {
    private static final double NANOS_PER_MILLI = 1e6;

    private NumberFormat() {}

    static String millis(long nanos) {
        return decimal(3, nanos / NANOS_PER_MILLI);
    }

    static String wholeMillis(long nanos) {
        return decimal(0, nanos / NANOS_PER_MILLI);
    }

    static String decimal(int places, double value) {
        return String.format(Locale.ROOT, "%." + places + "f", value);
    }

    static String percent(double fraction) {
        return decimal(0, 100 * fraction) + " %";
    }

    static String times(double factor) {
        return decimal(2, factor);
    }

    static String range(double lower, double upper) {
        return times(lower) + "-" + times(upper);
    }

    /** Formats a mean without decimals if it is whole: a strategy that always sends two commands sends 2. */
    static String mean(double value) {
        return value == Math.rint(value) ? decimal(0, value) : decimal(1, value);
    }
}
