package org.mongolocks;

import java.io.Serial;
import java.util.Optional;
import org.mongolocks.spi.ForeignFormatException;

/**
 * An exception thrown when the strategy of the client cannot read a document in a collection of locks, or in one that is
 * named after it: two strategies use one collection, another version of this library wrote the document, or it is an
 * application's. The document was not changed, and nothing is held. A retry does not
 * help.
 *
 * <p>Give each strategy a collection of its own ({@link LockClientBuilder#collection}), or use the same version in all
 * clients of one collection.
 */
public class LockFormatException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param task the operation, with lock, strategy and collection
     * @param lockName the name of the lock; empty if the operation concerned none, or several
     * @param cause the document that was found
     * @param collection the name of its collection in the database
     */
    public LockFormatException(
            String task, Optional<LockName> lockName, ForeignFormatException cause, String collection) {
        super(
                task + " was refused: the document with _id " + cause.id() + " in collection '" + collection + "' is "
                        + cause.found().map(mark -> "of format '" + mark + "'").orElse("without a format mark")
                        + ", and this strategy reads only '" + cause.own()
                        + "'. It was not changed. " + remedy(cause),
                cause,
                lockName,
                false);
    }

    private static String remedy(ForeignFormatException cause) {
        String strategy = cause.own().replaceFirst("/.*", "/");
        return cause.found().filter(mark -> mark.startsWith(strategy)).isPresent()
                ? "Another version of this library wrote it. Stop all clients of the collection, convert or drop it (see"
                        + " 'Change of format' in docs/operations.md), and use the same version in all of them."
                : "Give each strategy a collection of its own.";
    }
}
