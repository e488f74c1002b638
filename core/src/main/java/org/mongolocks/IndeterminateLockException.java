package org.mongolocks;

import java.io.Serial;

/**
 * Says that an acquisition ended without an answer, and could not be taken back in time: the lock may be held in the name
 * of {@link #owner()} until its ttl has passed. Do not enter the guarded section; others may have to wait that long. The
 * client goes on taking it back for about as long as a command may take.
 */
public final class IndeterminateLockException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Owner owner;

    /**
     * Makes the exception.
     *
     * @param message which lock and strategy
     * @param outcome the outcome that it reports
     */
    public IndeterminateLockException(String message, LockOutcome.Indeterminate outcome) {
        super(message, outcome.cause());
        this.owner = outcome.owner();
    }

    /**
     * Gives the owner in whose name the lock may be held.
     *
     * @return the owner of the acquisition
     */
    public Owner owner() {
        return owner;
    }
}
