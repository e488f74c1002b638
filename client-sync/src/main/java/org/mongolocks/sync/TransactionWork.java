package org.mongolocks.sync;

import com.mongodb.client.ClientSession;
import org.jspecify.annotations.Nullable;

/**
 * Is work that a lock guards by a transaction.
 *
 * @param <R> what the work results in; it may be null
 * @param <E> what the work may throw
 */
@FunctionalInterface
public interface TransactionWork<R extends @Nullable Object, E extends Exception> {
    /**
     * Does the work, on the thread that asked for it. It may be called again after a passing fault of the transaction, of
     * which then nothing is left: do nothing that the transaction does not take back. Let the driver's exceptions out.
     *
     * @param session what each read and write goes by, in a collection of the driver's client that the lock client was
     *     built with. The transaction is open; leave its bounds alone.
     * @return the result
     * @throws E if the work fails; nothing is written then
     */
    R run(ClientSession session) throws E;
}
