package org.mongolocks.embedded.internal.engine;

/** Thrown by a command that cannot go on now; it is run again when the wait is over. */
public final class Park extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Wait wait;

    public Park(Wait wait) {
        super("parked", null, false, false);
        this.wait = wait;
    }

    Wait until() {
        return wait;
    }
}
