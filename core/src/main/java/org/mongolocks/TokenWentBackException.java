package org.mongolocks;

import java.io.Serial;
import java.util.Optional;

/**
 * An exception thrown when a lock was granted with a token that is not larger than an earlier one. The grant is
 * released, or ends with its lease if the release got no reply. Lock documents were dropped, renamed, or restored from
 * a backup. An operator raises the tokens ({@code raiseTokens} of a client); until then each acquisition by a client
 * that remembers a larger token fails with this exception.
 */
public final class TokenWentBackException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final long granted;
    private final long newest;

    /**
     * Creates the exception.
     *
     * @param name the name of the lock
     * @param granted the token of the grant
     * @param newest the largest token that the client remembers
     */
    public TokenWentBackException(LockName name, long granted, long newest) {
        super(
                message(name, granted, newest)
                        + " The grant is released, or ends with its lease. Raise the tokens of this collection above what the"
                        + " protected data has seen, by raiseTokens(query, floor) of a client.",
                null,
                Optional.of(name),
                false);
        this.granted = granted;
        this.newest = newest;
    }

    /**
     * Returns the message of the exception, for logs.
     *
     * @param name the name of the lock
     * @param granted the token of the grant
     * @param newest the largest token that the client remembers
     * @return a sentence
     */
    public static String message(LockName name, long granted, long newest) {
        return "TOKEN_WENT_BACK: lock '" + name + "' was granted with token " + granted + ", but token " + newest
                + " was granted before: its document was dropped, renamed, or restored from a backup.";
    }

    /**
     * Returns the token of the grant.
     *
     * @return the token
     */
    public long granted() {
        return granted;
    }

    /**
     * Returns the largest token that the client remembers.
     *
     * @return the token, at least that of the grant
     */
    public long newest() {
        return newest;
    }
}
