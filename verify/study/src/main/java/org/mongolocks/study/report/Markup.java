package org.mongolocks.study.report;

import java.util.Locale;

/** The words of the page for times and constants. */
final class Markup {
    private static final double NANOS_PER_SECOND = 1e9;

    private Markup() {}

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.3f s", nanos / NANOS_PER_SECOND);
    }

    /** Converts the name of a constant into words. */
    static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
