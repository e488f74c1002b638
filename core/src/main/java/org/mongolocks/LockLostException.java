package org.mongolocks;

import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An exception thrown when a lock was lost while it guarded an action, whether the action completed or was aborted:
 * another owner may have been in the guarded section at the same time. Data written with the fencing token is safe;
 * check everything else. {@link #lockName()} tells which lock, if guarded work acquires another one.
 */
public final class LockLostException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final LossReason reason;

    /**
     * Creates the exception.
     *
     * @param name the name of the lock
     * @param reason why it was lost
     */
    public LockLostException(LockName name, LossReason reason) {
        this(name, reason, null);
    }

    /**
     * Creates the exception for an action that was aborted because of the loss.
     *
     * @param name the name of the lock
     * @param reason why it was lost
     * @param cause the exception of the action, or null if it completed
     */
    public LockLostException(LockName name, LossReason reason, @Nullable Throwable cause) {
        this(name, reason, "", cause);
    }

    /**
     * Creates the exception for an action whose effects are known.
     *
     * @param name the name of the lock
     * @param reason why it was lost
     * @param effects what the action did or did not do, for the message; empty if unknown
     * @param cause the exception of the action, or null if it completed
     */
    public LockLostException(LockName name, LossReason reason, String effects, @Nullable Throwable cause) {
        super(
                "Lock '" + name + "' was lost (" + reason + ") before the guarded action ended"
                        + (effects.isEmpty() ? "" : "; " + effects),
                cause,
                Optional.of(name),
                true);
        this.reason = reason;
    }

    /**
     * Returns why the lock was lost.
     *
     * @return the reason
     */
    public LossReason reason() {
        return reason;
    }
}
