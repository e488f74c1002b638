package org.mongolocks.embedded.internal.engine;

/** Thrown to close the connection of a command in the place of an answer. */
public final class ConnectionClosed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConnectionClosed() {
        super("connection closed", null, false, false);
    }
}
