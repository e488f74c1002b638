package org.mongolocks;

import java.io.Serial;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An exception thrown when the server, or what it stores, does not suit the strategy of a client. Nothing was created or
 * changed, and nothing is held. A retry does not help: something must change first. {@link #faults()} says what is
 * wrong:
 *
 * <ul>
 *   <li>When a client is built: the server lacks what the strategy needs, or a collection has an option, an index or a
 *     shard key that makes locks unsafe. With {@link SchemaMode#VALIDATE} also: a collection or index is missing or
 *     different. The program {@code ./doctor} prints the commands that repair it.
 *   <li>Later: the document of a lock is of another strategy, of another version of this library, or of an application.
 *       Give each strategy a collection of its own ({@link LockClientBuilder#collection}), and use the same version in
 *       all clients of one collection.
 *   <li>At any time: the server refuses a command, or transactions, as unsupported. Choose another strategy or another
 *       deployment.
 * </ul>
 */
public final class LockStorageException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String[] faults;

    /**
     * Creates an exception.
     *
     * @param message the operation, with strategy and collection, the faults, and what to do
     * @param faults what is wrong: a sentence each, without the full stop, which names the collection if it is in one
     * @param lockName the name of the lock; empty if the operation concerned none, or several
     * @param cause the error of the server or the document that was found; null if there is none
     */
    public LockStorageException(
            String message, List<String> faults, Optional<LockName> lockName, @Nullable Throwable cause) {
        super(message, cause, lockName, false);
        this.faults = faults.toArray(String[]::new);
    }

    /**
     * Returns what is wrong.
     *
     * @return a sentence for each fault, without the full stop; at least one
     */
    public List<String> faults() {
        return List.of(faults);
    }
}
