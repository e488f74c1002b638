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
     * Creates the exception. A handle has that of its own lock: {@code lossException()}.
     *
     * @param name the name of the lock
     * @param reason why it was lost
     * @param details the figures by which a reader sees what to change, for the message
     * @param cause the exception of the action, or null if it completed
     */
    public LockLostException(LockName name, LossReason reason, String details, @Nullable Throwable cause) {
        this(
                name,
                "Lock '" + name + "' was lost (" + reason + ") before the guarded action ended: " + details,
                reason,
                cause);
    }

    private LockLostException(LockName name, String message, LossReason reason, @Nullable Throwable cause) {
        super(message, cause, Optional.of(name), true);
        this.reason = reason;
    }

    /**
     * Returns the exception for an action whose effects are known. This one is its cause.
     *
     * @param effects what the action did or did not do, for the message
     * @return another exception, with the same reason
     */
    @CheckReturnValue
    public LockLostException withEffects(String effects) {
        return new LockLostException(lockName().orElseThrow(), getMessage() + "; " + effects, reason, this);
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
