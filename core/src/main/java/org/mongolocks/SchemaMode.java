package org.mongolocks;

/**
 * What a client does about collections and indexes when it is built. No lock needs an index to be correct.
 *
 * <p>In every mode the client looks at the collections of its strategy that are there. One with which locks are not
 * exclusive or their documents are lost is refused with {@link LockSchemaException}: a default collation, a capped
 * collection, a view or time series, a validator, a shard key other than {@code _id}, a TTL index on a field that the
 * strategy does not name, a unique index besides that on {@code _id}. Where the user lacks the right to look, the client
 * is built, with one warning in the log.
 */
public enum SchemaMode {
    /** Creates what is missing. What cannot be created is a warning in the log. */
    CREATE,
    /**
     * Creates nothing and checks that all is there: a collection or index that is missing, or has other options, is a
     * {@link LockSchemaException} that lists everything with the commands that create it.
     */
    VALIDATE,
    /** Creates and changes nothing, and asks for nothing to be there; MongoDB creates a collection at the first write. */
    NONE
}
