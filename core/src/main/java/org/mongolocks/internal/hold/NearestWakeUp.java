package org.mongolocks.internal.hold;

import java.time.Duration;
import org.mongolocks.ClientSettings.Timer;
import org.mongolocks.TimeSource;

/**
 * The wake-up at the nearest of several times. A time that is dropped leaves its wake-up in place: a spurious wake-up
 * costs less than a new one for each time. Not thread-safe.
 */
final class NearestWakeUp {
    private final Timer timer;
    private final TimeSource time;
    private final Runnable task;
    private Timer.Timeout timeout = () -> {};
    private boolean isArmed;
    private long dueNanos;

    /**
     * Creates a wake-up that is not armed.
     *
     * @param timer wakes it
     * @param time the time of the caller
     * @param task begins with {@link #woke}, and arms it for the times that are left
     */
    NearestWakeUp(Timer timer, TimeSource time, Runnable task) {
        this.timer = timer;
        this.time = time;
        this.task = task;
    }

    /** Runs the task at that time, or earlier. */
    void noLaterThan(long latestNanos) {
        if (isArmed && dueNanos - latestNanos <= 0) {
            return;
        }
        timeout.cancel();
        isArmed = false;
        timeout = timer.schedule(Duration.ofNanos(Math.max(0, latestNanos - time.nanoTime())), task);
        isArmed = true;
        dueNanos = latestNanos;
    }

    void woke() {
        isArmed = false;
    }

    void cancel() {
        isArmed = false;
        timeout.cancel();
    }
}
