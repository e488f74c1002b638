package org.mongolocks.contract.adapter;

/** The work of a guarded transaction, for either client. */
@FunctionalInterface
public interface TransactionBody {
    /**
     * Does the work.
     *
     * @param writes writes in the transaction
     * @throws Exception if the work fails
     */
    void run(Writes writes) throws Exception;

    /** Writes that are part of the transaction. */
    @FunctionalInterface
    interface Writes {
        /**
         * Writes a document for the lock.
         *
         * @param what the value to write
         */
        void write(String what);
    }
}
