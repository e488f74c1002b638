package org.mongolocks;

import java.io.Serial;

/**
 * An exception thrown when a later holder of the lock has touched a document: the caller with the smaller token has
 * lost the lock and must not write. Nothing was written. Stop the guarded work; data read under the lock may have
 * changed.
 */
public final class StaleTokenException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final long token;
    private final long seen;

    /**
     * Creates the exception.
     *
     * @param fence the fence that was refused
     * @param seen the largest token that the document has seen
     */
    public StaleTokenException(Fence fence, long seen) {
        super("Token " + fence.token() + " is stale: the document has seen " + seen + " in its field '" + fence.field()
                + "', so another owner has acquired the lock since");
        this.token = fence.token();
        this.seen = seen;
    }

    /**
     * Returns the token that was refused.
     *
     * @return the token
     */
    public long token() {
        return token;
    }

    /**
     * Returns the largest token that the document has seen.
     *
     * @return a token larger than {@link #token()}
     */
    public long seen() {
        return seen;
    }
}
