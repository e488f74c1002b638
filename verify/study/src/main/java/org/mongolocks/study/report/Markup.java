package org.mongolocks.study.report;

import java.util.Locale;

/** Escapes text and formats numbers for HTML and SVG. */
final class Markup {
    private static final double NANOS_PER_SECOND = 1e9;

    private Markup() {}

    static String text(String raw) {
        return raw.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    static String number(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.3f s", nanos / NANOS_PER_SECOND);
    }

    /** Converts the name of a constant into words. */
    static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
