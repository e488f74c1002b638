package org.mongolocks;

import java.io.Serial;

/**
 * An exception thrown when a lock client was closed, or is being closed, before it acquired a lock. Nothing is held.
 * Build another client, or stop: the application is probably shutting down.
 */
public final class ClientClosedException extends IllegalStateException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public ClientClosedException() {
        super("This lock client is closed");
    }
}
