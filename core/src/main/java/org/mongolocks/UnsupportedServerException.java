package org.mongolocks;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Says that the server lacks what a strategy needs. Choose another strategy or another deployment. */
public final class UnsupportedServerException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what is needed, what was found, and what to do
     * @param cause the server's refusal, or null if the server was not asked
     */
    public UnsupportedServerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
