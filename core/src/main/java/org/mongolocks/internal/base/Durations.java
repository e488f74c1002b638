package org.mongolocks.internal.base;

import java.time.Duration;
import java.util.Locale;

/** The shorter and the longer of two durations, and their text. */
public final class Durations {
    private Durations() {}

    public static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    public static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /** Returns a duration as operators read it, for example {@code 1m30s}. */
    public static String text(Duration duration) {
        return duration.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
    }
}
