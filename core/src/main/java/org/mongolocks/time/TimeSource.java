package org.mongolocks.time;

/**
 * A source of monotonic time. Leases and deadlines are measured on it; it is never compared with the clock of another
 * machine. Thread-safe.
 */
@FunctionalInterface
public interface TimeSource {
    /**
     * Returns the time now, from an arbitrary origin, in nanoseconds. It never goes back.
     *
     * @return the time now in nanoseconds
     */
    long nanoTime();

    /**
     * Returns the monotonic time of this machine, the time of system suspends included: after a suspend that outlasts a
     * lease, the lease has ended. Suspends of less than a quarter of a second are not detected.
     *
     * @return a source that reads {@link System#nanoTime()} and adds the time of suspends
     */
    static TimeSource system() {
        return SystemTime.INSTANCE;
    }
}
