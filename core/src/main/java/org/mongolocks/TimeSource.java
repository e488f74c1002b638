package org.mongolocks;

/**
 * Tells monotonic time. Leases and deadlines are counted on it; it is never compared with the clock of another machine.
 */
@FunctionalInterface
public interface TimeSource {
    /**
     * Gives the time now, from an arbitrary origin, in nanoseconds. It never goes back.
     *
     * @return the time now in nanoseconds
     */
    long nanoTime();

    /**
     * Gives the time of this JVM.
     *
     * @return a source that reads {@link System#nanoTime()}
     */
    static TimeSource system() {
        return System::nanoTime;
    }
}
