package org.mongolocks.internal.base;

import java.time.Duration;

/** The shorter and the longer of two durations. */
public final class Durations {
    private Durations() {}

    public static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    public static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
