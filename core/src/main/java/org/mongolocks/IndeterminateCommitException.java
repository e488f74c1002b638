package org.mongolocks;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Says that the commit of a guarded transaction got no answer: all of its writes were done while the lock was held, or none
 * was. Which of the two it was, the data tells. The lock stays held until its lease ends.
 */
public final class IndeterminateCommitException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param name what was locked
     * @param cause what the last try to commit failed with
     */
    public IndeterminateCommitException(LockName name, @Nullable Throwable cause) {
        super(
                "Nobody knows whether the transaction that lock '" + name
                        + "' guards was committed: no commit was answered",
                cause);
    }
}
