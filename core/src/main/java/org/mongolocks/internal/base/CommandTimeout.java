package org.mongolocks.internal.base;

import java.time.Duration;

/** The bounds of the time limit of one command. */
public final class CommandTimeout {
    private static final Duration MIN = Duration.ofMillis(10);
    private static final Duration MAX = Duration.ofMinutes(5);

    private CommandTimeout() {}

    /**
     * Checks a time limit.
     *
     * @throws IllegalArgumentException if it is not from 10 milliseconds to 5 minutes
     */
    public static void require(Duration limit) {
        if (limit.compareTo(MIN) < 0 || limit.compareTo(MAX) > 0) {
            throw new IllegalArgumentException("commandTimeout must be from " + MIN + " to " + MAX + ", was " + limit);
        }
    }
}
