package org.mongolocks;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * An exception thrown when the server lacks a feature that a strategy needs. Choose another strategy or another
 * deployment.
 */
public final class UnsupportedServerException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what is needed, what was found, and what to do
     * @param cause the server's error, or null if no command was sent
     */
    public UnsupportedServerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
