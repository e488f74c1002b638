package org.mongolocks;

/** Says what a client does about collections and indexes when it is built. No lock needs an index to be correct. */
public enum SchemaMode {
    /** Creates what is missing. What cannot be created is a warning in the log. */
    CREATE,
    /**
     * Creates nothing and checks that all is there: a collection or index that is missing, or has other options, is a
     * {@link LockSchemaException} that lists everything with the commands that create it. Not being allowed to look is a
     * warning in the log.
     */
    VALIDATE,
    /** Leaves everything as it is; MongoDB creates a collection at the first write. */
    NONE
}
