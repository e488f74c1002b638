package org.mongolocks;

import java.io.Serial;
import java.util.Optional;
import org.mongolocks.spi.LockStrategy.LockOutcome;

/**
 * An exception thrown when an acquisition got no reply and could not be compensated in time: the lock may be held in
 * the name of {@link #owner()} until its ttl has passed. Do not enter the guarded section; other owners may have to
 * wait that long. The client repeats the compensation until the server replies, or the ttl has passed, or the client is
 * closed.
 */
public final class IndeterminateLockException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Owner owner;

    /**
     * Creates the exception.
     *
     * @param message the failed operation, with lock and strategy
     * @param lockName the name of the lock; empty for several
     * @param outcome the outcome that it reports
     */
    public IndeterminateLockException(String message, Optional<LockName> lockName, LockOutcome.Indeterminate outcome) {
        super(message, outcome.cause(), lockName, true);
        this.owner = outcome.owner();
    }

    /**
     * Returns the owner in whose name the lock may be held.
     *
     * @return the owner of the acquisition
     */
    public Owner owner() {
        return owner;
    }
}
