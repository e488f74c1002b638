package org.mongolocks;

import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An exception thrown when the commit of a guarded transaction got no reply. Either all of its writes were done while
 * the lock was held, or none was: read the data to find out which. The lock stays held until its lease ends.
 */
public final class IndeterminateCommitException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param name the name of the lock
     * @param cause the fault of the last attempt to commit
     */
    public IndeterminateCommitException(LockName name, @Nullable Throwable cause) {
        super(
                "Commit outcome unknown for the transaction guarded by lock '" + name + "': no commit got a reply",
                cause,
                Optional.of(name),
                true);
    }
}
