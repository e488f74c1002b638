package org.mongolocks;

import java.io.Serial;

/**
 * Says that a lock was lost while it guarded an action that ran to its end: another may have been in the guarded section
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
        super("Lock '" + name + "' was lost (" + reason + ") before the guarded action ended");
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
