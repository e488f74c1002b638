package org.mongolocks;

import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An exception thrown when a lock client was closed, or is being closed, before it acquired a lock. Also thrown when
 * the driver's client was closed before the lock client, and nothing can be sent any more. After a failed acquisition
 * nothing is held; a lock that was held when the driver's client was closed stays held until its ttl has passed, unless
 * a proxy replaces that client before. Build another client, or stop: the application is probably shutting down.
 */
public final class ClientClosedException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates the exception of a lock client that was closed. */
    public ClientClosedException() {
        super("This lock client is closed");
    }

    /**
     * Creates the exception of a lock client whose driver's client was closed.
     *
     * @param task the operation that was not sent
     * @param lockName the name of the lock; empty if the operation concerned none, or several
     * @param cause the driver's exception
     */
    public ClientClosedException(String task, Optional<LockName> lockName, @Nullable Throwable cause) {
        super(
                task + " was not sent: the MongoClient of this lock client is closed. Close the lock client first.",
                cause,
                lockName,
                false);
    }
}
