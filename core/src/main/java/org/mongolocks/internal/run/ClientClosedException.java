package org.mongolocks.internal.run;

/** An exception thrown when a client was closed before or during an operation. */
public final class ClientClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public ClientClosedException() {
        super("This lock client is closed");
    }
}
