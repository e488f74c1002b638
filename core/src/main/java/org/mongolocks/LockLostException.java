package org.mongolocks;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Says that a lock was lost while it guarded an action, whether that ran to its end or was broken off: another may have been in the guarded section
 * at the same time. What was written with the fencing token is safe; anything else has to be checked.
 */
public final class LockLostException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final LossReason reason;

    /**
     * Makes the exception.
     *
     * @param name what was locked
     * @param reason why it was lost
     */
    public LockLostException(LockName name, LossReason reason) {
        this(name, reason, null);
    }

    /**
     * Makes the exception for an action that the loss has broken off.
     *
     * @param name what was locked
     * @param reason why it was lost
     * @param cause what the action failed with, or null if it ended by itself
     */
    public LockLostException(LockName name, LossReason reason, @Nullable Throwable cause) {
        super("Lock '" + name + "' was lost (" + reason + ") before the guarded action ended", cause);
        this.reason = reason;
    }

    /**
     * Tells why the lock was lost.
     *
     * @return the reason
     */
    public LossReason reason() {
        return reason;
    }
}
