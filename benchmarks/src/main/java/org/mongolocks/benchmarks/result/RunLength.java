package org.mongolocks.benchmarks.result;

import java.time.Duration;
import java.util.Locale;

/** The length of a run. */
public enum RunLength {
    /** A minute: enough for a functional check and to see large differences. */
    QUICK(Duration.ofMinutes(1)),
    /** Six minutes. */
    NORMAL(Duration.ofMinutes(6)),
    /** Twenty minutes: for figures to publish. */
    FULL(Duration.ofMinutes(20));

    private final Duration time;

    RunLength(Duration time) {
        this.time = time;
    }

    /** Returns the total time of all benchmarks. */
    public Duration time() {
        return time;
    }

    /** Returns the name in JSON. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
