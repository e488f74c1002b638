package org.mongolocks.sync;

import com.mongodb.client.ClientSession;
import org.jspecify.annotations.Nullable;

/**
 * Work that a lock guards by a transaction.
 *
 * @param <R> the result of the work; it may be null
 * @param <E> the exceptions of the work
 */
@FunctionalInterface
public interface TransactionCallback<R extends @Nullable Object, E extends Exception> {
    /**
     * Runs the work, on the calling thread. It may be called again after a transient error of the transaction, which
     * has undone all its writes: do nothing that the transaction does not undo. Let the driver's exceptions propagate.
     *
     * @param session the session of each read and write, in a collection of the driver's client that the lock client
     *     was built with. The transaction is open; do not commit or abort it.
     * @return the result
     * @throws E if the work fails; nothing is written then
     */
    R run(ClientSession session) throws E;
}
