package org.mongolocks;

import com.mongodb.MongoException;
import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.spi.LockStrategy.LockOutcome;

/**
 * An exception thrown when the reply to a write was lost, and nothing shows whether the server executed it. What may have
 * happened, and what to do next, depends on the {@link #operation()}. It is {@linkplain #isTransient() transient}.
 */
public final class IndeterminateOutcomeException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Operation operation;
    private final @Nullable Owner owner;

    /** An operation whose outcome can be unknown. */
    public enum Operation {
        /**
         * An acquisition that could not be compensated in time: the lock, or some of several, may be held in the name of
         * {@link IndeterminateOutcomeException#owner()} until the ttl has passed. Do not enter the guarded section; other
         * owners may have to wait that long. The client repeats the compensation until the server replies, or the ttl has
         * passed, or the client is closed.
         */
        ACQUIRE,
        /**
         * The commit of a guarded transaction. Either all of its writes were done while the lock was held, or none was:
         * read the data to find out which. The lock stays held until its lease ends.
         */
        COMMIT,
        /**
         * The write of an optimistic update, if the document does not show whether it was executed, or could not be read.
         * The change was made once or not at all: read the document before you repeat it, or the change may be made a
         * second time.
         */
        UPDATE
    }

    private IndeterminateOutcomeException(
            Operation operation,
            String message,
            @Nullable Throwable cause,
            Optional<LockName> lockName,
            @Nullable Owner owner) {
        super(message, cause, lockName, true);
        this.operation = operation;
        this.owner = owner;
    }

    /**
     * Creates the exception of an acquisition.
     *
     * @param message the failed operation, with lock and strategy
     * @param lockName the name of the lock; empty for several
     * @param outcome the outcome that it reports
     * @return the exception
     */
    public static IndeterminateOutcomeException ofAcquire(
            String message, Optional<LockName> lockName, LockOutcome.Indeterminate outcome) {
        return new IndeterminateOutcomeException(
                Operation.ACQUIRE, message, outcome.cause(), lockName, outcome.owner());
    }

    /**
     * Creates the exception of a commit.
     *
     * @param name the name of the lock that guards the transaction
     * @param cause the fault of the last attempt to commit
     * @return the exception
     */
    public static IndeterminateOutcomeException ofCommit(LockName name, @Nullable Throwable cause) {
        String message =
                "Commit outcome unknown for the transaction guarded by lock '" + name + "': no commit got a reply";
        return new IndeterminateOutcomeException(Operation.COMMIT, message, cause, Optional.of(name), null);
    }

    /**
     * Creates the exception of an optimistic update.
     *
     * @param document a phrase for the document
     * @param cause the fault of the write
     * @return the exception
     */
    public static IndeterminateOutcomeException ofUpdate(String document, MongoException cause) {
        String message = "Outcome unknown for the update of " + document + ": the write got no reply";
        return new IndeterminateOutcomeException(Operation.UPDATE, message, cause, Optional.empty(), null);
    }

    /** {@return the operation whose outcome is unknown} */
    public Operation operation() {
        return operation;
    }

    /** {@return the owner in whose name the lock may be held; empty unless the operation is an acquisition} */
    public Optional<Owner> owner() {
        return Optional.ofNullable(owner);
    }
}
