package org.mongolocks;

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
     * Returns the monotonic time of this JVM.
     *
     * @return a source that reads {@link System#nanoTime()}
     */
    static TimeSource system() {
        return System::nanoTime;
    }
}
