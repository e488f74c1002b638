package org.mongolocks.contract;

/** Is work in a guarded transaction of either client. */
@FunctionalInterface
public interface GuardedBody {
    /**
     * Does the work.
     *
     * @param writes what it writes by
     * @throws Exception if the work fails
     */
    void run(Writes writes) throws Exception;

    /** Writes in the transaction. */
    @FunctionalInterface
    interface Writes {
        /**
         * Writes a document of the lock.
         *
         * @param what what to write
         */
        void write(String what);
    }
}
