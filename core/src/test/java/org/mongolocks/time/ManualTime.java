package org.mongolocks.time;

import java.time.Duration;

/** A monotonic time that changes only when the test moves it. */
public final class ManualTime implements TimeSource {
    private long nanos;

    public ManualTime() {
        this(0);
    }

    public ManualTime(long origin) {
        this.nanos = origin;
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    public void advance(Duration duration) {
        nanos += duration.toNanos();
    }
}
