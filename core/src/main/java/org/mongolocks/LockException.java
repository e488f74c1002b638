package org.mongolocks;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * An exception thrown when a lock operation failed for another reason than contention. A failed acquisition holds
 * nothing, unless it is an {@link IndeterminateLockException}; after a failed release the lock stays held until it is
 * released again or its ttl has passed.
 *
 * <p>The cause is the driver's exception, if there was one.
 */
public class LockException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception without a cause.
     *
     * @param message the failed operation, with lock and strategy
     */
    public LockException(String message) {
        super(message);
    }

    /**
     * Creates an exception.
     *
     * @param message the failed operation, with lock and strategy
     * @param cause the fault, or null if there is none
     */
    public LockException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
