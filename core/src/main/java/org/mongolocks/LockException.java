package org.mongolocks;

import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An exception thrown when a lock operation failed, or did not get the lock that the caller insisted on.
 *
 * <p>What is left on the server depends on the operation, not on the fault. A failed acquisition holds nothing. After a
 * failed renewal the lock is held for what remains of its lease. A failed release can be repeated; otherwise the lock
 * stays held until its ttl has passed. A failed guarded transaction or optimistic update wrote nothing. Only an
 * {@link IndeterminateOutcomeException} says that a lock may be held, or that data may be written.
 *
 * <p>The cause is the driver's exception, if there was one.
 */
public class LockException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final @Nullable String lockName;
    private final boolean isTransient;

    /**
     * Creates an exception without a cause, that is not transient and concerns no single lock.
     *
     * @param message the failed operation, with lock and strategy
     */
    public LockException(String message) {
        this(message, null);
    }

    /**
     * Creates an exception that is not transient and concerns no single lock.
     *
     * @param message the failed operation, with lock and strategy
     * @param cause the fault, or null if there is none
     */
    public LockException(String message, @Nullable Throwable cause) {
        this(message, cause, Optional.empty(), false);
    }

    /**
     * Creates an exception.
     *
     * @param message the failed operation, with lock and strategy
     * @param cause the fault, or null if there is none
     * @param lockName the name of the lock; empty if the operation concerned none, or several
     * @param isTransient whether the same call may succeed later
     */
    public LockException(String message, @Nullable Throwable cause, Optional<LockName> lockName, boolean isTransient) {
        super(message, cause);
        this.lockName = lockName.map(LockName::value).orElse(null);
        this.isTransient = isTransient;
    }

    /**
     * Returns the lock that the operation concerned. It tells the loss of one lock from that of another, when work
     * under one lock acquires a second one.
     *
     * @return the name; empty if the operation concerned no lock, or several, and in a {@link StaleTokenException}
     */
    public final Optional<LockName> lockName() {
        return Optional.ofNullable(lockName).map(LockName::of);
    }

    /**
     * Returns whether the same call may succeed later, though nothing but time has passed: another owner held the lock,
     * or the server was out of reach, had no primary, or gave no reply. Otherwise something must change first: a right,
     * a setting, the server or the stored data. Whether guarded work may be repeated is another question, which only
     * its author can answer.
     *
     * @return true if another call may help
     */
    public final boolean isTransient() {
        return isTransient;
    }
}
