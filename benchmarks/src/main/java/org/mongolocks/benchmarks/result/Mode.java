package org.mongolocks.benchmarks.result;

import java.time.Duration;
import java.util.Locale;

/** Is how much time a run takes. */
public enum Mode {
    /** A minute: enough to see that all works, and large differences. */
    QUICK(Duration.ofMinutes(1)),
    /** A few minutes. */
    NORMAL(Duration.ofMinutes(6)),
    /** Twenty minutes: figures to publish. */
    FULL(Duration.ofMinutes(20));

    private final Duration time;

    Mode(Duration time) {
        this.time = time;
    }

    /** Gives the time that all benchmarks of a run share. */
    public Duration time() {
        return time;
    }

    /** Gives the name for programs. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
