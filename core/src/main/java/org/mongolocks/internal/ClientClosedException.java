package org.mongolocks.internal;

/** Says that a client was closed before or while it was asked for something. */
public final class ClientClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    ClientClosedException() {
        super("This lock client is closed");
    }
}
