package org.mongolocks.embedded.internal.engine;

import java.util.function.BooleanSupplier;

/**
 * What a parked command waits for.
 *
 * @param event whether it has happened
 * @param due the time, in milliseconds, at which the wait is over in any case
 */
public record Wait(BooleanSupplier event, long due) {
    /** No time at all. */
    static final long NEVER = Long.MAX_VALUE;

    /** Waits for something to happen. */
    public static Wait forEvent(BooleanSupplier event) {
        return new Wait(event, NEVER);
    }

    /** Waits for a time. */
    public static Wait until(long millis) {
        return new Wait(() -> false, millis);
    }

    /** Waits for something to happen, but not longer than until a time. */
    public static Wait forEventUntil(BooleanSupplier event, long millis) {
        return new Wait(event, millis);
    }

    boolean isOver(long now) {
        return now >= due || event.getAsBoolean();
    }
}
