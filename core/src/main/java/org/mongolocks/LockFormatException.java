package org.mongolocks;

import java.io.Serial;
import org.mongolocks.spi.ForeignFormatException;

/**
 * Says that a document in the collection of the locks is not one that the strategy of the client reads: two strategies
 * were pointed at one collection, another version of this library has written it, or it is no lock at all. It was left
 * as it is, and nothing is held. Asking again is of no use.
 *
 * <p>Give each strategy a collection of its own ({@link LockClientBuilder#collection}), or let all clients of one
 * collection be of the same version.
 */
public class LockFormatException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param task what was to be done, for which lock, strategy and collection
     * @param cause what was found
     */
    public LockFormatException(String task, ForeignFormatException cause) {
        super(
                task + " was refused: the document that is stored is "
                        + cause.found().map(mark -> "of format '" + mark + "'").orElse("without a format mark")
                        + ", and this strategy reads only '" + cause.own()
                        + "'. It was not changed. Give each strategy a collection of its own, and use the same version of"
                        + " this library in all clients of one collection.",
                cause);
    }
}
