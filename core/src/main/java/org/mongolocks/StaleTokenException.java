package org.mongolocks;

import java.io.Serial;

/**
 * Says that a document was touched by a later holder of its lock: who has the smaller token has lost the lock, and must not
 * write. Nothing was written. Stop the guarded work; what was read under the lock may have changed.
 */
public final class StaleTokenException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final long token;
    private final long seen;

    /**
     * Makes the exception.
     *
     * @param fence the fence that was refused
     * @param seen the largest token that the document has seen
     */
    public StaleTokenException(Fence fence, long seen) {
        super("Token " + fence.token() + " is stale: the document has seen " + seen + " in its field '" + fence.field()
                + "', so that another has acquired the lock since");
        this.token = fence.token();
        this.seen = seen;
    }

    /**
     * Gives the token that was refused.
     *
     * @return the token
     */
    public long token() {
        return token;
    }

    /**
     * Gives the largest token that the document has seen.
     *
     * @return a token that is larger than {@link #token()}
     */
    public long seen() {
        return seen;
    }
}
