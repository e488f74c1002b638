package org.mongolocks;

import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An exception thrown when the thread of a call was interrupted, by the methods of the synchronous client that send
 * commands and do not wait for a lock, and where {@link InterruptedException} cannot be declared. The flag of the interrupt
 * is set again. The last command may have been executed; after an acquisition nothing is held. Methods that may wait for a
 * lock throw {@link InterruptedException} instead.
 */
public final class LockInterruptedException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param task the operation that was interrupted
     * @param lockName the name of the lock; empty if the operation concerned none, or several
     * @param cause the interrupt of a wait or of the driver; null if the thread had been interrupted before
     */
    public LockInterruptedException(String task, Optional<LockName> lockName, @Nullable Throwable cause) {
        super(task + " was interrupted", cause, lockName, false);
    }
}
