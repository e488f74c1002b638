package org.mongolocks.embedded.internal.engine;

import java.util.function.BooleanSupplier;

/** Thrown by a command that cannot go on now, with what it waits for; it is run again when the wait is over. */
public final class Park extends RuntimeException {
    /** No time at all. */
    static final long NEVER = Long.MAX_VALUE;

    private static final long serialVersionUID = 1L;

    private final transient BooleanSupplier event;
    private final long due;

    private Park(BooleanSupplier event, long due) {
        super("parked", null, false, false);
        this.event = event;
        this.due = due;
    }

    /** Waits for something to happen. */
    public static Park forEvent(BooleanSupplier event) {
        return new Park(event, NEVER);
    }

    /** Waits for a time, in milliseconds. */
    public static Park until(long millis) {
        return new Park(() -> false, millis);
    }

    /** Waits for something to happen, but not longer than until a time. */
    public static Park forEventUntil(BooleanSupplier event, long millis) {
        return new Park(event, millis);
    }

    /** The time, in milliseconds, at which the wait is over in any case. */
    long due() {
        return due;
    }

    boolean isOver(long now) {
        return now >= due || event.getAsBoolean();
    }
}
