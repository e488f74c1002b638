package org.mongolocks;

/**
 * The action of a client on collections and indexes when it is built. No lock needs an index to be correct.
 *
 * <p>In every mode the client checks the existing collections of its strategy. It refuses a collection that makes locks
 * unsafe with {@link LockStorageException}: a capped collection, a view or time series, or one with a default
 * collation, a validator or a shard key other than {@code _id}. It also refuses a unique index besides that on
 * {@code _id}, and a TTL index other than that of the strategy. If the user lacks the right to check, the client is
 * built, with one warning in the log.
 */
public enum SchemaMode {
    /** Creates what is missing. What cannot be created is logged as a warning. */
    CREATE,
    /**
     * Creates nothing and checks that everything exists: if a collection or index is missing or has other options, a
     * {@link LockStorageException} lists every problem.
     */
    VALIDATE,
    /** Creates and changes nothing, and requires nothing to exist; MongoDB creates a collection at the first write. */
    NONE
}
